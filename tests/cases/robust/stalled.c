// Without the attribute whoever waits for it waits for ever.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t mutex;

void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&mutex); //~ BUG deadlock
}
