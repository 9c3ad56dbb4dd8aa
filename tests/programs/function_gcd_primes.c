#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b) { while (b) { unsigned t = a % b; a = b; b = t; } return a; } static char sieve[500];
int main(void) { int n = 0; for (int i = 2; i < 500; i++) if (!sieve[i]) { n++; for (int j = i * i; j < 500; j += i) sieve[j] = 1; } printf("%d %u %u\n", n, gcd(1071, 462), gcd(17, 5)); unsigned long long a = 0, b = 1; for (int i = 0; i < 90; i++) { unsigned long long t = a + b; a = b; b = t; } printf("%llu\n", a); unsigned c = 27; int steps = 0; while (c != 1) c = c & 1 ? 3 * c + 1 : c / 2, steps++; printf("%d\n", steps); }
