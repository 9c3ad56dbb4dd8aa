// The section gives the lock back and takes it again: it has to wait for nobody, not even for itself.
//@ property: deadlock
//@ verdict: safe
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
