//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    char *end = 0;
    errno = 0;
    assert(strtol("11", &end, 1) == 0 && errno == EINVAL);
    errno = 0;
    assert(strtod("0x1p5000", &end) > 1e300 && errno == ERANGE);
    errno = 0;
    assert(strtod("1e-400", &end) == 0 && errno == ERANGE);
    errno = 0;
    assert(strtof("1e39", &end) > 1e38 && errno == ERANGE);
    errno = 0;
    strtod("nan(12)z", &end);
    assert(*end == 'z' && errno == 0);
}
