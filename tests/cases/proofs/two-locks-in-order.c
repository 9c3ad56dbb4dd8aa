//@ property: deadlock
//@ verdict: safe
/* The second lock is only taken inside of the first one, or alone; and the main thread waits for both threads. */
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *both(void *argument) {
    (void)argument;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    counter++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

static void *one(void *argument) {
    (void)argument;
    pthread_mutex_lock(&second);
    counter++;
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void) {
    pthread_t left, right;
    pthread_create(&left, 0, both, 0);
    pthread_create(&right, 0, one, 0);
    pthread_join(left, 0);
    pthread_join(right, 0);
}
