// The third lock is given back before the second of the two is taken.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&second); //~ BUG deadlock
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&first); //~ BUG deadlock
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    pthread_join(a, 0);
}
