// One step against one step: 2 executions.
//@ property: assertion, data-race
//@ verdict: safe
//@ executions: 2
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
    pthread_join(a, 0);
    assert(x == 2);
}
