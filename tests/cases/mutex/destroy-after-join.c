//@ property: lock-misuse, deadlock
//@ verdict: safe
#include <pthread.h>

pthread_mutex_t lock;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        pthread_t a;
        pthread_mutex_init(&lock, 0);
        pthread_create(&a, 0, work, 0);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        pthread_join(a, 0);
        pthread_mutex_destroy(&lock);
    }
}
