// A write under a lock through a pointer that may lead to either of two places.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int first, second = 4;

void *other(void *unused) {
    pthread_mutex_lock(&lock);
    int sum = first + second;
    pthread_mutex_unlock(&lock);
    assert(sum == 4 || sum == 9); //~ BUG assertion
    return unused;
}

int main(void) {
    pthread_t a;
    int *target = __VERIFIER_nondet_bool() ? &first : &second;
    pthread_create(&a, 0, other, 0);
    pthread_mutex_lock(&lock);
    first = 0;
    *target = 5;
    int seen = first;
    pthread_mutex_unlock(&lock);
    assert(seen == 5 || second == 5);
    pthread_join(a, 0);
}
