// Without a handler the lock is never given back.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (++x == 1)
        pthread_exit(0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&lock); //~ BUG deadlock thread=t0
    pthread_mutex_unlock(&lock);
}
