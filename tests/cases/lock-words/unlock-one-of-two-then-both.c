// Whichever lock is given back first, nobody gets in before the values fit again.
//@ property: assertion, lock-misuse, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
int left, right;

void *work(void *unused) {
    _Bool order = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    left = right = 1;
    pthread_mutex_unlock(order ? &one : &two);
    pthread_mutex_unlock(order ? &two : &one);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    assert(left == right);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    pthread_join(a, 0);
}
