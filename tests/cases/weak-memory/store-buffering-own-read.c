// SB: who reads back the own store does not wait until others see it.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int x, y, a_sees, b_sees, a_own, b_own;

void *first(void *unused) {
    x = 1;
    a_own = x;
    a_sees = y;
    return unused;
}

void *second(void *unused) {
    y = 1;
    b_own = y;
    b_sees = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(a_own == 0 || b_own == 0 || a_sees == 1 || b_sees == 1); //~ BUG assertion
}
