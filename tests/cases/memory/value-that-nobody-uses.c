// A thread ends where it reads through a null pointer, also if nobody wants to know what is there.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int *pointer;
int zero, after;

void *reads(void *unused) {
    int value = *pointer; //~ UNDEFINED memory-safety
    after = 1;
    return unused;
}

void *divides(void *unused) {
    int value = 1 / zero; //~ UNDEFINED arithmetic
    after = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reads, 0);
    pthread_create(&b, 0, divides, 0);
    assert(after == 0);
}
