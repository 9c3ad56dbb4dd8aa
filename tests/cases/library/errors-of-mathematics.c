//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
    volatile double one = 1, result;
    errno = 0;
    result = sqrt(-one);
    assert(errno == EDOM);
    errno = 0;
    result = log(one - 1);
    assert(errno == ERANGE);
    errno = 0;
    result = fmod(one, 0);
    assert(errno == EDOM);
    errno = 0;
    result = sqrt(one) + exp(one - 1);
    assert(errno == 0 && result == 2);
}
