// CoWR: who has stored sees that, or something newer, and the stores of one thread come in order.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, first_sees, sees, sees_then;

void *first(void *unused) {
    x = 1;
    x = 2;
    first_sees = x;
    return unused;
}

void *second(void *unused) {
    sees = x;
    x = 3;
    sees_then = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first_sees != 1 && sees_then != 0);
    assert(!(sees == 2 && sees_then == 1));
    assert(x != 1 && x != 0);
}
