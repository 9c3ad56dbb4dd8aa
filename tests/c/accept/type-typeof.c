// typeof of types and expressions.
int x; const int cx = 1; int array[4]; int function(double); struct s { int bits : 3; char *text; } object;
typeof(int) a; typeof(x) b; typeof(x + 1L) c; typeof(array) d = {1}; typeof(&x) e; typeof(function) *f; typeof(object.text) g; typeof(int *) h[2]; typeof(struct s) i; typeof(typeof(x)) j; typeof("abc") k;
const typeof(x) l = 1; typeof(cx) m = 2; typeof(*e) n; typeof(int (*)(char)) o; typeof(array[0])p; typeof(function(1.0)) q; unsigned typeof_is_a_keyword;
#define swap(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
int use(int y, typeof(y) z, typeof(object) *o) { swap(y, z); typeof(({ int t = y; t; })) w = 3; typeof(o->text[0]) v = 4; extern typeof(use) use; return y + z + w + v; }
