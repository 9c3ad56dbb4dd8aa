// What is refused matters only where it is reached.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    x = 1;
    if (x == 0)
        pthread_cancel(pthread_self());
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(x == 1);
}
