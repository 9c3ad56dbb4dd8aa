//@ property: assertion, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

static int one(void) { return 1; }

int (*_Atomic function)(void) = one;

void *work(void *unused) {
    function = 0;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int result = function(); //~ UNDEFINED memory-safety
    assert(result == 1);
    pthread_join(a, 0);
}
