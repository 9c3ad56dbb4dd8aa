// A pointer goes before its object and comes back.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
int a[4], b[4];
int *shared;

void *work(void *argument) {
    int *p = shared;
    p -= 3;
    p += 2;
    *p = 7;
    return 0;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_bool() ? a + 1 : b + 1;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(a[0] + b[0] == 7);
}
