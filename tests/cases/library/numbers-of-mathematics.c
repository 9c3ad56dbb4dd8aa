//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <math.h>

int main(void) {
    double whole = 0;
    int exponent = 0;
    assert(fmin(1, 2) == 1 && fmax(1, NAN) == 1 && fdim(3, 1) == 2 && fdim(1, 3) == 0);
    assert(modf(-2.5, &whole) == -0.5 && whole == -2);
    assert(frexp(8, &exponent) == 0.5 && exponent == 4 && ldexp(0.5, 4) == 8);
    assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && round(2.5) == 3 && rint(2.5) == 2 && trunc(-1.5) == -1);
    assert(lround(-2.5) == -3 && lrint(3.5) == 4 && copysign(1, -0.0) == -1 && ilogb(9) == 3 && logb(0.25) == -2);
    assert(nextafter(0, 1) > 0 && nextafterf(1, 0) < 1);
    assert(floorf(1.5f) == 1 && fminf(2, 1) == 1 && isinf(ldexp(1, 5000)));
}
