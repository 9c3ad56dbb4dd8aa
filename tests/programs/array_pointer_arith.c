#include <stdio.h>

int main(void) { short a[10]; for (int i = 0; i < 10; i++) a[i] = i * 3; short *p = a + 2, *q = &a[7]; printf("%d %d %d %d\n", (int)(q - p), *(p + 3), p[-1], *(q - 2)); p += 4; q -= 1; printf("%d %d %d\n", p == q, p < q, p <= q); while (p > a) printf("%d ", *--p); printf("\n"); char *c = (char *)a; printf("%d\n", *(short *)(c + 8)); unsigned char i = 3; printf("%d %d\n", a[i], (a + 5)[-i]); short (*whole)[10] = &a; printf("%d %d\n", (*whole)[9], (int)((char *)(whole + 1) - (char *)whole)); }
