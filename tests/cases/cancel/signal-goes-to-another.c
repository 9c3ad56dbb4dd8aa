// Who is cancelled while it waits takes no signal that another waits for.
//@ property: deadlock
//@ verdict: safe
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting, go;

void give_back(void *unused) { pthread_mutex_unlock(&mutex); }

void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, 0);
    waiting++;
    if (!go)
        pthread_cond_wait(&changed, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    void *result;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_mutex_lock(&mutex);
    int both = waiting == 2;
    go = 1;
    if (both) {
        pthread_cancel(a);
        pthread_cond_signal(&changed);
    } else {
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(a, &result);
    if (!both || result == PTHREAD_CANCELED)
        pthread_join(b, 0);
}
