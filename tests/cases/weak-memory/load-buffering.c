// LB: no load waits for a later store of its thread.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, y, a_sees, b_sees;

void *first(void *unused) {
    a_sees = x;
    y = 1;
    return unused;
}

void *second(void *unused) {
    b_sees = y;
    x = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(a_sees == 0 || b_sees == 0);
}
