// A weak exchange may fail though the values are equal.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *work(void *unused) {
    int expected = 0;
    _Bool done = atomic_compare_exchange_weak(&flag, &expected, 1);
    assert(expected == 0);
    assert(done == (flag == 1));
    assert(done); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
