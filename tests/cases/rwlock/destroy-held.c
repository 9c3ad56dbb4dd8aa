//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_rwlock_t lock;

void *work(void *unused) {
    pthread_rwlock_rdlock(&lock); //~ BUG lock-misuse thread=t1
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_rwlock_init(&lock, 0);
    pthread_create(&a, 0, work, 0);
    pthread_rwlock_destroy(&lock); //~ BUG lock-misuse thread=t0
    pthread_join(a, 0);
}
