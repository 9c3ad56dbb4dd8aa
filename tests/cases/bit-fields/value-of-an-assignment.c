// An assignment is worth what the bit-field can hold, and nobody reads that from memory again.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

enum color { RED, GREEN, BLUE };
struct { int a : 3; unsigned b : 3; _Bool c : 1; long long d : 40; enum color e : 2; } shared;

void *work(void *argument) {
    shared.a = 0;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert((shared.a = 7) == -1);
    assert((shared.b = 9) == 1);
    assert((shared.c = 6) == 1);
    assert((shared.d = 1LL << 39) == -(1LL << 39));
    assert((shared.e = BLUE) == BLUE);
    pthread_join(thread, 0);
}
