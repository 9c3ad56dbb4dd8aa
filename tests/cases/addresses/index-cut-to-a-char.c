// An index that is cut to a signed char: 200 becomes -56, so the pointer is stored where it is read again.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x;
int *table[512];

void *writer(void *argument) {
    int i = __VERIFIER_nondet_bool();
    int index = (signed char)(i * 1024 + 200);
    table[256 + index] = &x;
    int *p = table[200];
    *p = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = x;
    assert(seen == 0); //~ BUG assertion thread=t0
    pthread_join(thread, 0);
    return 0;
}
