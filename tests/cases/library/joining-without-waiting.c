//@ property: assertion, deadlock
//@ verdict: bug
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int done;

void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int result = pthread_tryjoin_np(a, 0);
    assert(result == 0 || result == EBUSY);
    if (result == 0)
        assert(done == 1);
    assert(result == 0); //~ BUG assertion
}
