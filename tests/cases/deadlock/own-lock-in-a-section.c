// The thread takes a lock twice in one atomic section, and waits for itself.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); //~ BUG deadlock thread=t1
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0); //~ BUG deadlock thread=t0
}
