// The thread may use the memory before it is freed, which is no error, or behind.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    assert(*(int *)argument != 3); //~ BUG assertion thread=t1 //~ UNDEFINED memory-safety
    return 0;
}

int main(void) {
    pthread_t a;
    int *heap = malloc(sizeof *heap);
    *heap = 3;
    pthread_create(&a, 0, work, heap);
    free(heap);
}
