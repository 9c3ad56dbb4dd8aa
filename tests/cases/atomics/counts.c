// Each side makes two atomic additions: C(4,2) = 6 executions.
//@ property: assertion
//@ verdict: safe
//@ executions: 6
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 4);
}
