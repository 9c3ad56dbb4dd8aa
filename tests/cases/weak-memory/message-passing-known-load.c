// MP: a load of what nobody writes, between the stores, does not keep them in order.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int data, ready, seen = 1, limit = 5;

void *first(void *unused) {
    data = 1;
    int most = limit;
    ready = most > 0;
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
