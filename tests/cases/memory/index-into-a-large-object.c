// Places far apart: more than are followed one by one.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *data = calloc(10000, sizeof(int));
    int k = __VERIFIER_nondet_int() ? 1 : 9000;
    data[k] = 1;
    assert(data[k] == 1);
    assert(data[10001 - k - (k == 1)] == 0);
    free(data);
}
