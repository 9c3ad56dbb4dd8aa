// What is refused matters only where it is reached.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int x;

void *work(void *unused) {
    x = 1;
    if (x == 0)
        sigwait(0, 0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(x == 1);
}
