//@ property: assertion
//@ verdict: safe
// What could be undefined elsewhere never is here.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic int divisor = 1;
int array[2];

void *work(void *unused) {
    divisor = 2;
    return unused;
}

int main(void) {
    pthread_t a;
    int *heap = malloc(sizeof *heap);
    pthread_create(&a, 0, work, 0);
    int index = divisor - 1;
    array[index] = 10 / divisor;
    *heap = 1 << index;
    pthread_join(a, 0);
    assert(array[index] >= 5 && *heap <= 2);
    free(heap);
}
