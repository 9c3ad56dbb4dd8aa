// The whole body of such a function is one step.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x;

void __VERIFIER_atomic_add(int amount) {
    int old = x;
    x = old + amount;
}

void *work(void *unused) {
    __VERIFIER_atomic_add(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    __VERIFIER_atomic_add(2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 4);
}
