//@ property: assertion
//@ verdict: safe
// Written as constants of type `long double` that are converted.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
    double values[3] = {3.0, 1.0, 2.0}, least = DBL_MAX;
    for (int i = 0; i < 3; i++)
        if (values[i] < least)
            least = values[i];
    assert(least == 1.0);
    assert(isinf(DBL_MAX * 2) && DBL_MIN > 0 && DBL_MIN / 2 < DBL_MIN);
    assert(1.0 + DBL_EPSILON > 1.0 && 1.0 + DBL_EPSILON / 2 == 1.0);
    assert(FLT_MAX < DBL_MAX && (float)0.1L == 0.1f);
    char *end;
    assert(!signbit(strtod("-", &end)) && *end == '-');
    return 0;
}
