#include <stdio.h>

struct s { signed a : 4; unsigned b : 4; }; int main(void) { struct s x = {0}; int n = (x.a = 9); unsigned m = (x.b = 0x19); printf("%d %u\n", n, m); printf("%d\n", (x.a += 10)); printf("%d\n", (x.b -= 20)); for (int i = 0; i < 20; i++) printf("%d ", x.a++); printf("\n"); struct s *p = &x; p->a = p->b = -1; printf("%d %d\n", p->a, p->b); if (x.b == 15 && x.a == -1) printf("yes\n"); }
