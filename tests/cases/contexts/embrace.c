//@ property: deadlock
//@ verdict: bug
//@ contexts: 2
// To each thread once. Those that wait make no step, nor does the main thread at its join.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *argument) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ BUG deadlock thread=t1
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *backward(void *argument) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ BUG deadlock thread=t2
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, forward, 0);
    pthread_create(&second, 0, backward, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
