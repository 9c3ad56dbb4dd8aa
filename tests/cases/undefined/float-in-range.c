//@ property: assertion, overflow, arithmetic
//@ verdict: safe
#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void) {
    float least = -2147483648.0f;
    double most = 2147483647.9, little = -0.9;
    assert((int)least == -2147483647 - 1);
    assert((int)most == 2147483647);
    assert((unsigned)little == 0);
    float any = __VERIFIER_nondet_float();
    if (any > 0.0f && any < 10.0f) {
        unsigned char digit = any;
        assert(digit < 10);
    }
}
