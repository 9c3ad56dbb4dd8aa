// The same, and every such access stays inside of its object.
//@ property: assertion, memory-safety, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
int x[2], y[2];
int *slot[2] = {&x[1], &y[1]};

void *work(void *argument) {
    int which = __VERIFIER_nondet_bool();
    slot[which][-1] = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(x[0] + y[0] == 1 && x[1] + y[1] == 0);
}
