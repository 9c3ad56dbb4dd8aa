//@ lp64 only
#include <stdio.h>

struct s { char a; double d; }; int main(void) { int x = 5; printf("%d %d %d\n", (int)sizeof(x++), x, (int)sizeof(struct s)); printf("%d %d %d %d\n", (int)sizeof(char), (int)sizeof 'a', (int)sizeof(long), (int)sizeof(void *)); char a[7]; printf("%d %d %d\n", (int)sizeof a, (int)sizeof &a, (int)sizeof(a + 0)); printf("%d %d %d\n", (int)_Alignof(double), (int)_Alignof(struct s), (int)__alignof__(x)); _Alignas(32) char z; printf("%d\n", (int)__alignof__(z)); printf("%d %d\n", (int)sizeof(int[3][4]), (int)sizeof(struct { char c; int b : 3; })); printf("%d\n", (int)__builtin_offsetof(struct s, d)); printf("%d %d\n", (int)sizeof(void), (int)sizeof main); }
