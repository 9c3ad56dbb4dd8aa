// Before the create and after the join nobody else runs: one execution.
//@ property: assertion, data-race
//@ verdict: safe
//@ executions: 1
#include <assert.h>
#include <pthread.h>

int storage, *pointer;

void *work(void *unused) {
    assert(pointer == &storage);
    *pointer = 3;
    return unused;
}

int main(void) {
    pthread_t a;
    pointer = &storage;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(storage == 3);
}
