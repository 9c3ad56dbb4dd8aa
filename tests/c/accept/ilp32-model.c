// model: ilp32
_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8 && sizeof(long double) == 12, "");
_Static_assert(_Alignof(long long) == 4 && _Alignof(double) == 4 && __alignof__(double) == 8, "");
struct s { char c; long long l; double d; };
_Static_assert(sizeof(struct s) == 20, "");
__typeof__(sizeof 1) size = 4294967295u;
long l = 2147483647; long long ll = 3000000000; unsigned long ul = 0xffffffff;
__builtin_va_list list;
int sum(int n, ...) { __builtin_va_list ap, other; __builtin_va_start(ap, n); other = ap; int r = __builtin_va_arg(ap, int); long long w = __builtin_va_arg(other, long long); __builtin_va_end(ap); return r + w; }
struct bits { long long a : 33; int b : 31; char c; };
_Static_assert(sizeof(struct bits) == 12, "");
int *p = (int *)0x80000000; unsigned long address = (unsigned long)&l;
