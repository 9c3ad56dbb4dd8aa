// A loop that runs a constant number of times, which is none.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int shared;

void *work(void *unused) {
    for (int left = 0; left > 0; left--)
        shared = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    for (int again = 3; again < 3; again++)
        assert(0);
    assert(shared == 0);
}
