// MP: an acquire fence keeps no stores in order.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int data, ready, seen = 1;

void *first(void *unused) {
    data = 1;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    ready = 1;
    return unused;
}

void *second(void *unused) {
    if (ready)
        seen = data;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen == 1); //~ BUG assertion
}
