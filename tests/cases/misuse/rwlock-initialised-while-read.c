//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_rwlock_t lock;

int main(void) {
    pthread_rwlock_init(&lock, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_init(&lock, 0); //~ BUG lock-misuse thread=t0
}
