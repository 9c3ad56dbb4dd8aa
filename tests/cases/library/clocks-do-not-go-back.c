//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec first, second;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    assert(second.tv_sec >= first.tv_sec);
    assert(second.tv_nsec >= 0 && second.tv_nsec < 1000000000);
}
