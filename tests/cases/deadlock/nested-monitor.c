// The waiter gives back the inner lock, not the outer one that the signaller needs.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *work(void *unused) {
    pthread_mutex_lock(&outer); //~ BUG deadlock
    pthread_mutex_lock(&inner);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!ready)
        pthread_cond_wait(&changed, &inner); //~ BUG deadlock
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(a, 0);
}
