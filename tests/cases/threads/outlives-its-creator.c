// The outer thread does not wait for the inner one; joining the outer one says nothing about it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *inner(void *unused) {
    x = 2;
    return unused;
}

void *outer(void *unused) {
    pthread_t b;
    pthread_create(&b, 0, inner, 0);
    pthread_detach(b);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, outer, 0);
    pthread_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
