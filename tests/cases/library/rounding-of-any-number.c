//@ property: assertion
//@ verdict: safe
//@ explore: random
#include <assert.h>
#include <math.h>

float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (isfinite(x)) {
        assert(floorf(x) <= x && ceilf(x) >= x);
        assert(fabsf(truncf(x)) <= fabsf(x));
    }
    assert(sin(x) <= 1 || isnan(sin(x)));
}
