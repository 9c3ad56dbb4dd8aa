// Where the section comes to its end, what it wrote is seen.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, *nowhere, *somewhere = &y;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    int seen = x;
    x = seen + 1;
    *(seen ? nowhere : somewhere) = 2; //~ UNDEFINED memory-safety
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    int seen = x;
    assert(seen < 2);
    assert(seen < 1); //~ BUG assertion thread=t0
}
