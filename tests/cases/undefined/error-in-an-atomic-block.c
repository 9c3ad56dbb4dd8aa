//@ property: assertion
//@ verdict: safe
// The block that ends by undefined behaviour has not happened for the others, and that it may end so is told.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x, shift = 40;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    x = x << shift; //~ UNDEFINED arithmetic
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __VERIFIER_atomic_begin();
    assert(x == 0);
    __VERIFIER_atomic_end();
}
