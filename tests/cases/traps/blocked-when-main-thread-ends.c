// pthread_exit ends the main thread only: the child waits for a lock that nobody will give back.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock); //~ BUG deadlock thread=t1
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, work, 0);
    pthread_exit(0);
}
