//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed;

void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock); //~ BUG lock-misuse thread=t1
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_cond_init(&changed, 0);
    pthread_create(&a, 0, waiter, 0);
    pthread_cond_destroy(&changed); //~ BUG lock-misuse thread=t0
    pthread_exit(0);
}
