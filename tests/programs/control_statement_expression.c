#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
struct p { int x, y; };
int main(void) {
    int i = 3; printf("%d %g\n", MAX(i++, 2), MAX(1.5, 2)); printf("%d\n", i);
    struct p v = ({ struct p t = {i, i * 2}; t; }); printf("%d %d\n", v.x, v.y);
    int s = ({ int n = 0; for (int k = 0; k < 5; k++) { if (k == 3) continue; n += k; } n; }); printf("%d\n", s);
    ({ goto end; }); puts("not here");
end: printf("%d\n", ({ if (i > 100) i = 0; i; }));
}
