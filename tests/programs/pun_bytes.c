#include <stdio.h>
#include <string.h>

int main(void) { int x = 0x01020304; unsigned char *p = (unsigned char *)&x; printf("%d %d %d %d\n", p[0], p[1], p[2], p[3]); p[3] = 0x7f; printf("%x\n", x); double d = 3.5; unsigned char b[8]; memcpy(b, &d, 8); for (int i = 7; i >= 0; i--) printf("%02x", b[i]); double e; for (int i = 0; i < 8; i++) ((char *)&e)[i] = b[i]; printf(" %g\n", e); short s[2] = {1, -1}; unsigned u; memcpy(&u, s, 4); printf("%x\n", u); float f = -2; unsigned w = *(unsigned *)&f; printf("%x\n", w); }
