// SB: a load between the store and the look is no barrier, also one of what nobody ever writes.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int x, y, a_sees, b_sees, limit = 5;

void *first(void *unused) {
    x = 1;
    int most = limit;
    (void)most;
    a_sees = y;
    return unused;
}

void *second(void *unused) {
    y = 1;
    int most = limit;
    (void)most;
    b_sees = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(a_sees == 1 || b_sees == 1); //~ BUG assertion
}
