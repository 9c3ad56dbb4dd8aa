// 2+2W with release stores.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, y;

void *first(void *unused) {
    x = 1;
    __atomic_store_n(&y, 2, __ATOMIC_RELEASE);
    return unused;
}

void *second(void *unused) {
    y = 1;
    __atomic_store_n(&x, 2, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2 || y == 2);
}
