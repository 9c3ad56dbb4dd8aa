#include <stdio.h>

int main(void) {
    int i = 0, s = 0;
again: s += i; if (++i < 10) goto again; printf("%d\n", s);
    goto inside;
    { int x; 
inside: x = 5; printf("%d\n", x); if (i++ < 12) goto inside; }
    for (int a = 0; a < 5; a++) for (int b = 0; b < 5; b++) if (a * b == 6) { printf("%d %d\n", a, b); goto out; }
out: return i;
}
