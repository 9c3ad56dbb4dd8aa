// Each side is lock, load, store, unlock. Whoever gets the lock first keeps the other out until its unlock: 2 orders.
//@ property: assertion, data-race, deadlock, lock-misuse
//@ verdict: safe
//@ executions: 2
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    assert(x == 2);
}
