// SB: taking and releasing locks, each its own, makes earlier stores visible.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int x, y, a_sees, b_sees;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    a_sees = y;
    return unused;
}

void *second(void *unused) {
    y = 1;
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
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
