#include <stdlib.h>
#include <stdio.h>
static void bye(void) { puts("bye"); }
static void bye2(void) { puts("bye2"); }
int main(void) { atexit(bye); atexit(bye2); puts("x"); exit(42); }
