//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec before, after, second = {1, 0};
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&second, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec);
}
