// The producer says that it is done; the consumer takes what is there and stops.
//@ property: assertion, deadlock, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items, done, consumed;

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (items == 0 && !done)
            pthread_cond_wait(&changed, &lock);
        if (items == 0)
            break;
        items--;
        consumed++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, consumer, 0);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    items++;
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    assert(consumed == 2);
}
