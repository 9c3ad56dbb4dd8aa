//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;

void *work(void *unused) {
    done = 1; // nothing cancels it here
    pthread_testcancel();
    done = 2;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    assert(done >= 1);
    assert(done == 1); //~ BUG assertion
}
