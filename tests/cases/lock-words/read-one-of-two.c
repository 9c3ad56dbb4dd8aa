// What is read under a lock through a pointer with two targets is what was written there under it.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int first, second, *target;

void *other(void *unused) {
    pthread_mutex_lock(&lock);
    first = 1;
    second = 1;
    assert(*target == 1);
    *target = 2;
    assert(first + second == 3);
    first = second = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    target = __VERIFIER_nondet_bool() ? &first : &second;
    pthread_create(&a, 0, other, 0);
    pthread_mutex_lock(&lock);
    assert(*target == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
