#include <stdio.h>
int main() { printf("ok\n"); }
