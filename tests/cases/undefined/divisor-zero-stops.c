//@ property: assertion, deadlock, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Atomic int divisor = 1;

void *work(void *unused) {
    divisor = 0;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int quotient = 10 / divisor; //~ UNDEFINED arithmetic
    assert(quotient == 10);
    pthread_join(a, 0);
}
