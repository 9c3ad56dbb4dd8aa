//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current;

void *reader(void *unused) {
    int *object = atomic_load(&current);
    int value = *object; //~ BUG memory-safety thread=t1
    (void)value;
    return unused;
}

int main(void) {
    pthread_t a;
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    *first = 1;
    *second = 2;
    atomic_store(&current, first);
    pthread_create(&a, 0, reader, 0);
    free(atomic_exchange(&current, second));
    pthread_join(a, 0);
    free(second);
}
