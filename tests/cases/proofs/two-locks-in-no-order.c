//@ property: deadlock
//@ verdict: bug
/* Each takes the two locks in its own order. */
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *both(void *argument) {
    (void)argument;
    pthread_mutex_lock(&first); //~ BUG deadlock
    pthread_mutex_lock(&second); //~ BUG deadlock
    counter++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

static void *one(void *argument) {
    (void)argument;
    pthread_mutex_lock(&second); //~ BUG deadlock
    pthread_mutex_lock(&first); //~ BUG deadlock
    counter++;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void) {
    pthread_t left, right;
    pthread_create(&left, 0, both, 0);
    pthread_create(&right, 0, one, 0);
    pthread_join(left, 0); //~ BUG deadlock
    pthread_join(right, 0); //~ BUG deadlock
}
