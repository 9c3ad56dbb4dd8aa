#include <stdio.h>

int main(void) { _Alignas(64) char b[3]; char c; _Alignas(16) int i = 4; struct { char x; double d; } s = {1, 2}; printf("%d %d %d\n", (int)((unsigned long)b % 64), (int)((unsigned long)&i % 16), (int)((unsigned long)&s.d % 4)); b[0] = c = 'q'; printf("%c%c %d\n", b[0], c, i); static _Alignas(128) int g; printf("%d\n", (int)((unsigned long)&g % 128)); }
