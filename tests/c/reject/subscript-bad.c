struct s { int a; } s;
int array[3];
int f(int i, double d, int *p, void (*fp)(void)) { return i[i] + p[d] + s[0] + array[p] + fp[0] + p[s]; }
