#include <stdio.h>

static const char *who(void) { return __func__; } static const char *st(void) { static const char *n = __func__; return n; } int main(void) { printf("%s %s %s %d\n", who(), __FUNCTION__, st(), (int)sizeof __func__); printf("%d\n", __builtin_expect(5 > 3, 1)); _Static_assert(sizeof(int) == 4, "int"); printf("%d %d\n", __builtin_constant_p(3), __LINE__ > 0); }
