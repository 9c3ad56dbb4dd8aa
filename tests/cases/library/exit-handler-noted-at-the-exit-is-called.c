// It may be called.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void handler(void) {
    assert(0); //~ BUG assertion
}

void *work(void *unused) {
    atexit(handler);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    return 0;
}
