#include <stdio.h>

struct f { unsigned a : 1, b : 2, c : 13; int d : 6; enum { X, Y, Z } e : 3; long g : 20; }; static struct f t[] = {{1, 2, 5000, -9, Z, -300000}, {.c = 1, .g = 77}, {0}}; 
int main(void) { for (int i = 0; i < 3; i++) printf("%d %d %d %d %d %d\n", t[i].a, t[i].b, t[i].c, t[i].d, t[i].e, (int)t[i].g); struct f l = {.d = 31, .e = Y}; l.g -= 1; printf("%d %d %d\n", l.d, l.e, (int)l.g); }
