//@ property: assertion, data-race, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock;
int hits;

void *work(void *unused) {
    pthread_rwlock_wrlock(&lock);
    hits++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_rwlock_init(&lock, 0);
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    pthread_rwlock_destroy(&lock);
    assert(hits == 2);
}
