// A thread sees its own stores in all their bytes, before others do.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

union { unsigned whole; unsigned short halves[2]; unsigned char bytes[4]; } x;
unsigned sees;

void *writer(void *unused) {
    x.whole = 0x04030201;
    assert(x.halves[1] == 0x0403 && x.bytes[2] == 3);
    x.bytes[1] = 0x55;
    assert(x.whole == 0x04035501 && x.halves[0] == 0x5501);
    x.halves[1] = 0x7777;
    assert(x.whole == 0x77775501 && x.bytes[3] == 0x77);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    sees = x.halves[0];
    pthread_join(a, 0);
    assert(sees == 0 || sees == 0x0201 || sees == 0x5501);
    assert(x.whole == 0x77775501);
}
