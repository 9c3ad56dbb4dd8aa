// The last range may end one behind the array.
//@ property: assertion
//@ verdict: bug
//@ explore: random
//@ signed-overflow: undefined
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int length, next;

void *work(void *unused) {
    int at = 0, end = 0;
    pthread_mutex_lock(&lock);
    if (next + 2 <= length) {
        at = next;
        next = end = next + 3;
    }
    pthread_mutex_unlock(&lock);
    for (; at < end; at++)
        assert(0 <= at && at < length); //~ BUG assertion
    return unused;
}

int main(void) {
    pthread_t thread;
    length = __VERIFIER_nondet_int();
    if (length <= 0)
        return 0;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
