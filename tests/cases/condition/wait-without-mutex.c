//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *work(void *unused) {
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cond_wait(&changed, &lock); //~ BUG lock-misuse thread=t0
    pthread_join(a, 0);
}
