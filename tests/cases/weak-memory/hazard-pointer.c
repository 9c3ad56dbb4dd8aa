// A hazard pointer that is not visible when its object is looked up again: it is freed under the reader.
//@ property: memory-safety
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <pthread.h>
#include <stdlib.h>

int *shared, *hazard;

void *reader(void *unused) {
    int *mine = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    __atomic_store_n(&hazard, mine, __ATOMIC_RELEASE);
    if (mine && __atomic_load_n(&shared, __ATOMIC_ACQUIRE) == mine)
        (void)*(volatile int *)mine; //~ BUG memory-safety
    return unused;
}

int main(void) {
    pthread_t a;
    shared = calloc(1, sizeof *shared);
    pthread_create(&a, 0, reader, 0);
    int *old = __atomic_exchange_n(&shared, (int *)0, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&hazard, __ATOMIC_ACQUIRE) != old)
        free(old);
    pthread_join(a, 0);
}
