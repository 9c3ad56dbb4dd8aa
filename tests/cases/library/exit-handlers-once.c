// Whichever thread is the last.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int done, calls;

void check(void) {
    calls++;
    assert(done && calls == 1);
}

void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    atexit(check);
    pthread_create(&a, 0, work, 0);
    pthread_exit(0);
}
