// A byte of a number that the other thread writes whole.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

union { int whole; char bytes[4]; } shared;

void *work(void *unused) {
    shared.whole = 1; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    shared.bytes[3] = 2; //~ BUG data-race
    pthread_join(a, 0);
}
