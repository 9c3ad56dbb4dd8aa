#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <float.h>
#include <stdalign.h>
#include <stdarg.h>
#include <iso646.h>
#include <stdnoreturn.h>
int minimum = INT_MIN; unsigned maximum = UINT_MAX; long lmin = LONG_MIN; unsigned long long ullmax = ULLONG_MAX; char cmin = CHAR_MIN;
int8_t i8 = INT8_MIN; uint16_t u16 = UINT16_MAX; int32_t i32 = INT32_MAX; int64_t i64 = INT64_MIN; uintptr_t up = UINTPTR_MAX; size_t sz = SIZE_MAX; intmax_t im = INTMAX_C(5);
double dmax = DBL_MAX, deps = DBL_EPSILON; float fmax = FLT_MAX; long double ldmax = LDBL_MAX;
bool yes = true, no = false; void *null = NULL; ptrdiff_t difference; wchar_t wide = L'x'; max_align_t most;
struct s { char a; double b; }; size_t offset = offsetof(struct s, b);
alignas(16) char buffer[alignof(double)];
noreturn void stop(void);
int logic(int a, int b) { return a and not b or a bitand b; }
int last(int n, ...) { va_list ap; va_start(ap, n); int r = va_arg(ap, int); va_end(ap); return r; }
