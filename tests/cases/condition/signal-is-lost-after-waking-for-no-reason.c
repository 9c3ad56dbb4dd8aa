// The waiter is known to wait when the flag is set without the lock. Only if it has woken up for no reason, and has looked already, is
// the signal lost.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting;
atomic_int ready;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int early = !waiting;
    if (early)
        ready = 1;
    pthread_mutex_unlock(&lock);
    if (!early) {
        ready = 1;
        pthread_cond_signal(&changed);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    waiting = 1;
    while (!ready)
        pthread_cond_wait(&changed, &lock); //~ BUG deadlock
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
