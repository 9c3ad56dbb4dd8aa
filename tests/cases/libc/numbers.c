//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    char *end;
    const char *text = "  -42rest";
    assert(strtol(text, &end, 10) == -42 && end == text + 5);
    assert(strtol("0x1f", &end, 0) == 31 && *end == 0);
    assert(strtol("077", 0, 0) == 63 && strtol("zz", 0, 36) == 1295 && strtol("101", 0, 2) == 5);
    text = "none";
    assert(strtol(text, &end, 10) == 0 && end == text);
    errno = 0;
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtol("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE);
    assert(strtoul("-1", 0, 10) == ULONG_MAX && strtoull("18446744073709551615", 0, 10) == ULLONG_MAX);
    assert(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN);
    assert(atoi("12x") == 12 && atol("-7") == -7 && atoll("+8") == 8);
    assert(abs(-3) == 3 && labs(-3L) == 3 && llabs(-3LL) == 3);
    int number = rand();
    assert(number >= 0);
}
