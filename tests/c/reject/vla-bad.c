int n;
int a[n];
static int b[n];
struct s { int m; int c[n]; };
void f(int k) { static int d[k]; extern int e[k]; int g[k] = {1}; goto in; { int h[k]; in: h[0] = 1; } }
