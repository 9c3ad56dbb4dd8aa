// What a reader has announced is not freed, so that its address does not come again while the reader may compare it.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current, hazard;

void *reader(void *argument) {
    int *seen = current;
    hazard = seen;
    if (current == seen)
        assert(*seen == 1);
    hazard = 0;
    return 0;
}

int *made(void) {
    int *object = malloc(sizeof *object);
    *object = 1;
    return object;
}

int main(void) {
    pthread_t thread;
    current = made();
    pthread_create(&thread, 0, reader, 0);
    int *old = atomic_exchange(&current, made());
    if (hazard != old) {
        *old = 2;
        free(old);
    }
    pthread_join(thread, 0);
}
