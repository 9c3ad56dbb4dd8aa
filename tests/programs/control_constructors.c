#include <stdio.h>

static int n;
__attribute__((constructor)) static void last(void) { printf("last %d\n", n++); }
__attribute__((constructor(102))) static void second(void) { printf("second %d\n", n++); }
__attribute__((constructor(101))) static void first(void) { printf("first %d\n", n++); }
__attribute__((destructor)) static void d1(void) { printf("d1 %d\n", n++); }
__attribute__((destructor(101))) static void d2(void) { printf("d2 %d\n", n++); }
__attribute__((destructor(102))) static void d3(void) { printf("d3 %d\n", n++); }
int main(void) { printf("main %d\n", n++); return n; }
