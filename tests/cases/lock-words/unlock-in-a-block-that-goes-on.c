// A lock is taken before an atomic block and given back in it; the block goes on.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    __VERIFIER_atomic_begin();
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int seen = shared;
    __VERIFIER_atomic_end();
    shared = 0;
    pthread_mutex_unlock(&lock);
    assert(seen == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(shared == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
