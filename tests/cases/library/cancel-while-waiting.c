//@ property: assertion, deadlock, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int cleaned;

void give_back(void *unused) {
    cleaned = 1;
    pthread_mutex_unlock(&mutex);
}

void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, 0);
    pthread_cond_wait(&never, &mutex); // may also wake up for no reason
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a;
    void *result = 0;
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, &result);
    assert((result == PTHREAD_CANCELED || !result) && cleaned == 1);
}
