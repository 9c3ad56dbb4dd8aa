// The object is freed when the new one is there already.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *old;

void *work(void *argument) {
    free(old);
    return 0;
}

int main(void) {
    pthread_t thread;
    old = malloc(sizeof *old);
    int *fresh = malloc(sizeof *fresh);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(fresh != old);
}
