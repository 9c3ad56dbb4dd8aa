#include <stdio.h>

struct s { char a; int b; short c; }; int main(void) { printf("%d %d %d %d %d\n", (int)sizeof(short), (int)sizeof(int), (int)sizeof(long long), (int)sizeof(float), (int)sizeof(double)); printf("%d %d\n", (int)sizeof(struct s), (int)_Alignof(int)); printf("%d\n", (int)(sizeof(long) == sizeof(void *))); printf("%d\n", (int)(sizeof(unsigned long) * 8 >= 32)); long l = 2147483647; printf("%ld\n", l); unsigned long u = 4294967295u; printf("%lu\n", u); }
