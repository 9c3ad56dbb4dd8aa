// The last word is not announced.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items, done;

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (items == 0 && !done)
            pthread_cond_wait(&changed, &lock); //~ BUG deadlock
        if (items == 0)
            break;
        items--;
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
    done = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0); //~ BUG deadlock
}
