// Who does not get the lock of a stream knows that the other thread has come that far, and nothing orders the two: `x` is written
// twice, and never by two threads that are co-enabled.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdio.h>

int x;

void *locks(void *unused) {
    x = 1; //~ BUG data-race thread=t1
    flockfile(stdout);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, locks, 0);
    if (ftrylockfile(stdout) != 0)
        x = 2; //~ BUG data-race thread=t0
    return 0;
}
