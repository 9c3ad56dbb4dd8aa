// The two reads of one round need not be of one moment: first A is down and B up, then the other way round.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int a = 1, b = 1;

void *work(void *unused) {
    a = 0;
    a = 1;
    b = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    while (a || b)
        ;
    assert(0); //~ BUG assertion thread=t0
}
