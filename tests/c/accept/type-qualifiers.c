// const, volatile and restrict on every level.
const int a = 1; int const b = 2; volatile int c; const volatile int d = 3; const const int twice = 4;
const int *p; int *const q = 0; const int *const r = 0; int *volatile *const s = 0; int *restrict t; const char *const *const u = 0;
typedef int *ip; const ip cp = 0; typedef const int ci; ci array[3] = {1}; volatile ci vci = 1; typedef int row[2]; const row crow = {1, 2};
void copy(char *restrict to, const char *restrict from, int n) { while (n--) *to++ = *from++; }
struct s { const int x; volatile struct { int y; } z; } const cs = {1};
int read(volatile int *v, const struct s *k) { *v; return *v + *v + k->x + k->z.y + (*(volatile int *)&a); }
const int *f(const int *const x) { return x; }
int (*const cf)(const int) = 0;
_Bool constant_member(const struct s *k) { return &k->x == p; }
