// Array parameters become pointers; qualifiers and static inside the brackets.
int sum(int n, const int values[const static 4]) { return n ? values[0] + values[3] : 0; }
int plain(int a[], int b[10], int c[restrict], int d[volatile 3]) { return a[0] + b[1] + c[2] + d[0]; }
int functions(int callback(int), void done(void)) { done(); return callback(1); }
void star(int n, int a[*], int m[*][*]);
void star(int n, int a[n], int m[n][n]) { a[0] = m[1][2]; }
_Static_assert(sizeof(int (*)(int[10])) == sizeof(void *), "");
