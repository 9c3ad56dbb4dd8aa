// The writer replaces the object, waits until no reader is inside, and frees the old one.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current;
atomic_int inside;

void *reader(void *unused) {
    atomic_store(&inside, 1);
    int value = *atomic_load(&current);
    assert(value == 1 || value == 2);
    atomic_store(&inside, 0);
    return unused;
}

int main(void) {
    pthread_t a;
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    *first = 1;
    *second = 2;
    atomic_store(&current, first);
    pthread_create(&a, 0, reader, 0);
    int *old = atomic_exchange(&current, second);
    while (atomic_load(&inside))
        ;
    free(old);
    pthread_join(a, 0);
    free(second);
}
