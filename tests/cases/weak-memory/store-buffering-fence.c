// SB with a sequentially consistent fence.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, y, a_sees, b_sees;

void *first(void *unused) {
    x = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    a_sees = y;
    return unused;
}

void *second(void *unused) {
    y = 1;
    __sync_synchronize();
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
