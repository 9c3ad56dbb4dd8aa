// The thread may free the object before the new one is made, or only then.
//@ property: assertion
//@ verdict: bug
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
    pthread_create(&thread, 0, work, 0);
    int *fresh = malloc(sizeof *fresh);
    pthread_join(thread, 0);
    assert(fresh != old); //~ BUG assertion thread=t0
}
