// SB: a read-modify-write of something else pushes earlier stores out too.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, y, z, a_sees, b_sees;

void *first(void *unused) {
    x = 1;
    __sync_fetch_and_add(&z, 1);
    a_sees = y;
    return unused;
}

void *second(void *unused) {
    y = 1;
    __sync_fetch_and_add(&z, 1);
    b_sees = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(a_sees == 1 || b_sees == 1);
}
