// expect, unreachable, trap, constant_p, object_size, frame addresses, alloca, and library built-ins.
int likely(int x) { return __builtin_expect(!!(x), 1) ? 1 : __builtin_expect_with_probability(x, 0, 0.9) != 0; }
int no_return(int x) { switch (x) { case 1: return 2; } __builtin_unreachable(); }
void stop(void) { __builtin_trap(); }
int folded = __builtin_constant_p(3 + 4);
int constant(int x) { return __builtin_constant_p(x) ? 1 : 2; }
unsigned long size(char *p) { char local[10]; return __builtin_object_size(p, 0) + __builtin_object_size(local, 1); }
void *frames(void) { return __builtin_frame_address(0) ? __builtin_return_address(0) : 0; }
char *scratch(unsigned long n) { char *p = __builtin_alloca(n); __builtin_memset(p, 0, n); p[0] = 'x'; return __builtin_strchr(p, 'x'); }
double limits(void) { return __builtin_inf() + __builtin_huge_val() + __builtin_nan("") + __builtin_fabs(-1.0) + __builtin_sqrt(2.0); }
int floats(double x) { return __builtin_isnan(x) + __builtin_isinf_sign(x) + __builtin_isgreater(x, 1.0) + __builtin_signbit(x); }
void fetch(int *p) { __builtin_prefetch(p); __builtin_prefetch(p, 1, 3); }
void *aligned(void *p) { return __builtin_assume_aligned(p, 16); }
unsigned long length = sizeof(__builtin_strlen("abc"));
int lib(const char *s) { return __builtin_printf("%s\n", s) + __builtin_abs(-3) + (int)__builtin_strlen(s) + __builtin_strcmp(s, "x"); }
