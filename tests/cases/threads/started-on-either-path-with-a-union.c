//@ property: assertion
//@ verdict: bug
// What one path wrote into a union is not there on the other.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
union { int whole; unsigned char bytes[4]; unsigned short halves[2]; } value;

void *work(void *argument) {
    assert(value.whole == 0x0102 || value.whole == 0x00070000);
    assert(value.halves[1] == 7); //~ BUG assertion
    return argument;
}

int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_int()) {
        value.halves[1] = 7;
        pthread_create(&thread, 0, work, 0);
    } else {
        value.bytes[0] = 2;
        value.bytes[1] = 1;
        pthread_create(&thread, 0, work, 0);
    }
    pthread_join(thread, 0);
    return 0;
}
