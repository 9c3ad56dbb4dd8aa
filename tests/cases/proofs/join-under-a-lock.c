//@ property: deadlock
//@ verdict: bug
/* The main thread holds the lock that the thread needs whose end it waits for. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock); //~ BUG deadlock
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    pthread_join(thread, 0); //~ BUG deadlock
    pthread_mutex_unlock(&lock);
}
