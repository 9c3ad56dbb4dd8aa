// Every integer type and every order of its keywords.
char a; signed char b; unsigned char c; short d; short int e; signed short f; signed short int g; unsigned short h; unsigned short int i;
int j; signed k; signed int l; unsigned m; unsigned int n; long o; long int p; signed long q; signed long int r; unsigned long s; unsigned long int t;
long long u; long long int v; signed long long w; signed long long int x; unsigned long long y; unsigned long long int z;
int long aa; int unsigned long bb; long unsigned long cc; long int long dd; int short ee; char signed ff; _Bool gg; long double hh; double long ii; int typedef jj;
_Static_assert(sizeof(a) == 1 && sizeof(d) == 2 && sizeof(j) == 4 && sizeof(u) == 8, "");
_Static_assert(__builtin_types_compatible_p(long int unsigned long, unsigned long long) && !__builtin_types_compatible_p(char, signed char), "");
