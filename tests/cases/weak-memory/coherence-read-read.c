// CoRR: who has seen a store does not see what was there before.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, sees, sees_then;

void *first(void *unused) {
    x = 1;
    return unused;
}

void *second(void *unused) {
    sees = x;
    sees_then = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sees == 0 || sees_then == 1);
}
