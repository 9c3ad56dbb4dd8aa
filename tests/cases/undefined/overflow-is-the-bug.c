//@ property: assertion, overflow
//@ verdict: bug
//@ signed-overflow: undefined
// Behind the overflow there is no execution that could break the assertion.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

_Atomic int start = 0;

void *work(void *unused) {
    start = INT_MAX;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int before = start;
    int after = before + 1; //~ BUG overflow thread=t0
    assert(after > before);
    pthread_join(a, 0);
}
