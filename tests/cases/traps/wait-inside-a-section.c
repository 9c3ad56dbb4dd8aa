// Blocking inside an atomic section makes the whole section wait: nobody sees its first half.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_mutex_lock(&lock);
    x = 2;
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, work, 0);
    assert(x == 0);
    pthread_mutex_unlock(&lock);
    assert(x == 0 || x == 2);
    pthread_join(a, 0);
}
