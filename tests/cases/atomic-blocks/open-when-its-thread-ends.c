//@ property: assertion
//@ verdict: unknown
//@ reason: atomic blocks that begin and end on different paths
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);

int x;

void *begins(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    return unused;
}

void *looks(void *unused) {
    assert(x == 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, begins, 0);
    pthread_create(&b, 0, looks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
