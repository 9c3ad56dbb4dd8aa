// IRIW: two readers agree on the order of two independent stores, since a store becomes visible to all at once.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, y, a_first, a_second, b_first, b_second;

void *writes_x(void *unused) {
    x = 1;
    return unused;
}

void *writes_y(void *unused) {
    y = 1;
    return unused;
}

void *reads_x_first(void *unused) {
    int sees = x;
    a_second = y;
    a_first = sees;
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writes_x, 0);
    pthread_create(&b, 0, writes_y, 0);
    pthread_create(&c, 0, reads_x_first, 0);
    b_first = y;
    b_second = x;
    pthread_join(c, 0);
    assert(!(a_first == 1 && a_second == 0 && b_first == 1 && b_second == 0));
    pthread_join(a, 0);
    pthread_join(b, 0);
}
