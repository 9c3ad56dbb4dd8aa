#include <stdio.h>

struct __attribute__((packed)) p { char c; int i; short s; double d; }; struct a { char c; _Alignas(16) int i; };
int main(void) { struct p v = {1, 0x12345678, -2, 2.5}; struct p w = v; w.i++; printf("%d %d %x %d %g %x\n", (int)sizeof v, (int)sizeof(struct a), v.i, v.s, v.d, w.i);
    unsigned char *b = (unsigned char *)&v; for (unsigned k = 0; k < 7; k++) printf("%02x ", b[k]); printf("%d %d\n", (int)__builtin_offsetof(struct p, d), (int)__builtin_offsetof(struct a, i)); 
    int *q = &w.i; *q = 77; printf("%d\n", w.i); }
