//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Atomic unsigned amount = 3;

void *work(void *unused) {
    amount = 32;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    unsigned value = 1u << amount; //~ UNDEFINED arithmetic
    assert(value == 8);
    pthread_join(a, 0);
}
