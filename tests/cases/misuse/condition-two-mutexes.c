// Two threads wait at one condition variable with different mutexes.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&one);
    pthread_cond_wait(&changed, &one); //~ BUG lock-misuse thread=t1
    pthread_mutex_unlock(&one);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&two);
    pthread_cond_wait(&changed, &two); //~ BUG lock-misuse thread=t0
    pthread_mutex_unlock(&two);
}
