// The size of the object is not known, and where it is written only roughly.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *data;
extern int __VERIFIER_nondet_int(void);

void *work(void *unused) {
    int k = __VERIFIER_nondet_int() ? 1 : 0;
    data[0] = 2;
    data[k] = 1;
    assert(data[k] == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    data = malloc(__VERIFIER_nondet_int() ? 8 : 40000);
    int k = __VERIFIER_nondet_int() ? 1 : 0;
    data[0] = 2;
    data[k] = 1;
    assert(data[k] == 1);
    assert(data[0] == 2 - (k == 0));
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    free(data);
}
