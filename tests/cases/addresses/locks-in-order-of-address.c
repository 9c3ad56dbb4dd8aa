// Two locks are taken in the order of their addresses, whichever that is. Enumeration knows one layout only.
//@ property: deadlock, data-race
//@ verdict: safe
//@ explore: random
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int count;

void both(pthread_mutex_t *a, pthread_mutex_t *b) {
    pthread_mutex_lock(a < b ? a : b);
    pthread_mutex_lock(a < b ? b : a);
    count++;
    pthread_mutex_unlock(a);
    pthread_mutex_unlock(b);
}

void *work(void *argument) {
    both(&first, &second);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    both(&second, &first);
    pthread_join(thread, 0);
}
