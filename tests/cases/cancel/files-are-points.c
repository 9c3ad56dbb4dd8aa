// The request is there before the call.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int after;

void *work(void *unused) {
    pthread_cancel(pthread_self());
    fsync(1);
    after = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(!after);
}
