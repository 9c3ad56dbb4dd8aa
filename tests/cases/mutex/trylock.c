// Main gets the lock or is told that it is busy; both must work.
//@ property: assertion, data-race, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <errno.h>
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
    int result = pthread_mutex_trylock(&lock), mine = 0;
    assert(result == 0 || result == EBUSY);
    if (result == 0) {
        x++;
        mine = 1;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, 0);
    assert(x == 1 + mine);
}
