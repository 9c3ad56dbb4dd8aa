// The test and the set are two steps.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int lock, x;

void *work(void *unused) {
    while (__atomic_load_n(&lock, __ATOMIC_SEQ_CST))
        ;
    __atomic_store_n(&lock, 1, __ATOMIC_SEQ_CST);
    x++;
    __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
