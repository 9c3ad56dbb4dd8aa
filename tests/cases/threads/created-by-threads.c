//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x;

void *inner(void *unused) {
    x = 2;
    return unused;
}

void *outer(void *unused) {
    pthread_t b;
    x = 1;
    pthread_create(&b, 0, inner, 0);
    pthread_join(b, 0);
    assert(x == 2);
    x = 3;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, outer, 0);
    pthread_join(a, 0);
    assert(x == 3);
}
