// One of two locks is given back, nobody knows which: the other thread may get in.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *work(void *unused) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    shared = 1;
    pthread_mutex_unlock(__VERIFIER_nondet_bool() ? &one : &two);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&one);
    assert(shared == 0); //~ BUG assertion thread=t0
    return 0;
}
