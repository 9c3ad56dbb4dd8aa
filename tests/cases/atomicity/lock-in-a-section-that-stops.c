// The section takes the lock and then stops: the lock must have been free all the same.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *zero(void *unused) {
    x = 0;
    return unused;
}
void *look(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    assert(x == 0);
    __VERIFIER_assume(x == 0);
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, look, 0);
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
}
