//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int done;

void check(void) {
    assert(!done); //~ BUG assertion
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
