#include <stdio.h>

struct s { int a; char b[3]; }; 
int main(void) { struct s a = {1, "x"}, b, c; c = b = a; b.a = 5; printf("%d %d %s\n", a.a, c.a, c.b); (c = b).a; printf("%d\n", (a = b).a); struct s v[3]; v[0] = v[1] = v[2] = a; printf("%d\n", v[0].a); struct s *p = v; *p++ = c; *p = *(p - 1); printf("%d\n", v[1].a); }
