// Whoever loses the exchange does not try again.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    int old = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    __atomic_compare_exchange_n(&x, &old, old + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
