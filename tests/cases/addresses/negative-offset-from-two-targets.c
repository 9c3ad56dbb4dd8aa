// What lies before a pointer with two targets is written: an offset is an offset also when it is negative.
//@ property: assertion
//@ verdict: bug
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
    assert(x[0] == 0); //~ BUG assertion
}
