// exit in a thread ends the process: main never comes back from its join.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(0);
}
