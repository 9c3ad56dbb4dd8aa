// Handlers run when the process ends, the last one first.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int order;

void first(void) {
    assert(order == 1);
    assert(order == 2); //~ BUG assertion
}

void second(void) {
    assert(order == 0);
    order = 1;
}

void *work(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t a;
    atexit(first);
    atexit(second);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
