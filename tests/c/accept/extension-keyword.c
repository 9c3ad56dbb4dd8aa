// __extension__ before declarations, members, expressions; alternate keywords.
__extension__ typedef long long wide;
__extension__ struct s { __extension__ union { int a; float b; }; __extension__ long long c; };
__extension__ extern int x;
__extension__ __extension__ int y;
__signed__ char sc; __signed int si; __const int ci = 1; __const__ int cj = 2; __volatile__ int vi; int *__restrict rp; int *__restrict__ rq;
static __inline__ int f(void) { return __extension__ 3; }
static __inline int g(void) { __extension__ int local = 4; return __extension__ (local + 1) + (__extension__ ({ 2; })); }
__typeof__(x) tx; __typeof(x) ty; typeof(x) tz;
int h(void) { return __alignof(int) + sizeof(__extension__ 1) + __extension__ sizeof(int); }
