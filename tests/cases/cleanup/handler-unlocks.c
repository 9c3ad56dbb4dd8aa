// A thread that ends early runs its handlers, so the lock is free again.
//@ property: deadlock, assertion, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void unlock(void *argument) {
    pthread_mutex_unlock(argument);
}

void *work(void *early) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    x++;
    if (early)
        pthread_exit(0);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &x);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&lock);
    assert(x == 2);
    pthread_mutex_unlock(&lock);
}
