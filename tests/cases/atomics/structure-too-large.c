// No instruction of the processor is so wide: refused by name.
//@ property: assertion
//@ verdict: unknown
//@ reason: an atomic operation on an object that no machine instruction covers
#include <assert.h>
#include <pthread.h>

struct triple { int a, b, c; };
_Atomic struct triple shared;

void *work(void *unused) {
    struct triple all = {1, 1, 1};
    shared = all;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
