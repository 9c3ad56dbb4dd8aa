//@ property: assertion
//@ verdict: bug
// One thread ends at a memory error; the other breaks its assertion all the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic int flag;

void *bad(void *unused) {
    int *gone = malloc(sizeof *gone);
    free(gone);
    flag = 1;
    *gone = 1; //~ UNDEFINED memory-safety
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, bad, 0);
    assert(flag == 0); //~ BUG assertion thread=t0
}
