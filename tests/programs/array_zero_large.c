#include <stdio.h>

int main(void) { int a[3000] = {0}; int b[2000] = {1, 2}; char c[5000] = "hi"; int r[1500] = {[10 ... 1400] = 3}; long s = 0; for (int i = 0; i < 3000; i++) s += a[i]; for (int i = 0; i < 2000; i++) s += b[i] * i; for (int i = 0; i < 5000; i++) s += c[i]; for (int i = 0; i < 1500; i++) s += r[i]; printf("%ld\n", s); a[2999] = 4; for (int k = 0; k < 2; k++) { int z[100] = {5}; printf("%d %d ", z[0], z[99]); z[99] = 8; } printf("\n"); struct { int v[40]; char n[8]; } st[20] = {[3 ... 18] = {{[5] = 1}, "abc"}}; printf("%d %s %d\n", st[17].v[5], st[3].n, st[19].v[5]); }
