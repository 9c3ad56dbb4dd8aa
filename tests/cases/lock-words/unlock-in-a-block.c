// An atomic block that takes and gives a lock sees what it has written under it.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    shared = shared + 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int seen = shared;
    shared = shared + 1;
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    assert(seen == 1 || seen == 3);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    pthread_mutex_lock(&lock);
    assert(shared == 4);
    pthread_mutex_unlock(&lock);
}
