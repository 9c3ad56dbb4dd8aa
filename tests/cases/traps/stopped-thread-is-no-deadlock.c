// The child stops by its assumption with the lock in its hands. What waits for it is no deadlock: the program asked not to
// look there.
//@ property: deadlock
//@ verdict: safe
#include <pthread.h>

extern void __VERIFIER_assume(int);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    __VERIFIER_assume(0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
