#include <stdio.h>

int main(void) { unsigned n = 0; for (unsigned i = 5; i-- > 0;) n = n * 10 + i; printf("%u\n", n); unsigned char c; int k = 0; for (c = 250; c != 3; c++) k++; printf("%d\n", k); size_t z = 0; z--; printf("%d\n", z > 1000000u); long s = 0; for (short i = -3; i <= 3; i++) s += i * i; printf("%ld\n", s); signed char d = 127; d++; printf("%d\n", d); }
