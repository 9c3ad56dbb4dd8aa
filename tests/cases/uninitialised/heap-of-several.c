// Each element of memory from the heap has a value of its own.
//@ property: assertion
//@ verdict: bug
//@ finds: exhaustive
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *work(void *argument) {
    assert(shared[1] != 1); //~ BUG assertion
    return argument;
}

int main(void) {
    shared = malloc(3 * sizeof(int));
    shared[0] = 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
