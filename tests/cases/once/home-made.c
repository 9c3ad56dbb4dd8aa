//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int initialised, calls;

void *work(void *unused) {
    if (!initialised) {
        calls++;
        initialised = 1;
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(calls == 1); //~ BUG assertion thread=t0
}
