// model: lp64
// Array initialisers: nested, elided braces, designators, ranges, strings.
int a[3] = {1, 2, 3}, b[3] = {1}, c[3] = {}, d[2][3] = {{1, 2}, {3}}, e[2][3] = {1, 2, 3, 4};
int f[10] = {[2] = 1, 2, [7] = 3, [0] = 4}, g[10] = {[1 ... 3] = 5, [5 ... 9] = 6, [7] = 8};
int h[] = {[3] = 1, [1] = 2}, i[2][2][2] = {{1, 2, 3}, {{4}}}, j[3][2] = {[1] = {5, 6}, [2][1] = 7};
char s[] = "abc", t[3] = "abc", u[10] = "abc", v[] = {'a', 'b', 0}, w[2][4] = {"ab", "cd"}, x[3] = {"x"};
int overridden[3] = {1, 2, 3, [0] = 9, [1] = 8};
int gnu_old[4] = {[2] 7, [3] 8};
const char *strings[] = {[1] = "one", [0] = "zero"};
int wchars[] = L"wide"; unsigned short u16[] = u"sixteen"; unsigned u32[] = U"thirty-two";
int local(int n) { int a[4] = {n, n + 1, [3] = n * 2}, b[] = {n}, m[2][2] = {n, [1] = {2, n}}; return a[1] + b[0] + m[1][1]; }
_Static_assert(sizeof h == 16 && sizeof v == 3, "");
