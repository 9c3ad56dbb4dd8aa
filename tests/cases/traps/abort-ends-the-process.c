// The child aborts right after its write; main may look in between.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void *work(void *unused) {
    x = 1;
    abort();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    assert(x == 0); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
