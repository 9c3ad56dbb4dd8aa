// A thread that ends in an atomic block has made all of it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int shared;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    shared = 2;
    shared = 1;
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int seen = shared;
    assert(seen != 2);
    assert(seen != 1); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
