#include <stdio.h>
#include <stdint.h>
#include <string.h>

int main(void) { int a[4] = {10, 20, 30, 40}; uintptr_t u = (uintptr_t)&a[1]; int *p = (int *)(u + sizeof(int)); printf("%d\n", *p); u |= 1; int *q = (int *)(u & ~(uintptr_t)1); printf("%d %d\n", *q, (int)(u & 1)); int *r; memcpy(&r, &p, sizeof r); printf("%d\n", *r); unsigned char raw[sizeof p]; for (unsigned i = 0; i < sizeof p; i++) raw[i] = ((unsigned char *)&p)[i]; memcpy(&r, raw, sizeof r); printf("%d\n", *r); printf("%d\n", (int)((char *)&a[3] - (char *)a)); void *v = (void *)0; printf("%d %d\n", v == NULL, !v); printf("%d\n", (int)(intptr_t)(void *)-5); }
