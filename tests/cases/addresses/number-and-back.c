// A pointer goes to another thread as a number and comes back as a pointer into the same object.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int array[4];
uintptr_t number;

void *work(void *argument) {
    *(int *)(number + sizeof(int)) = 7;
    return 0;
}

int main(void) {
    pthread_t thread;
    number = (uintptr_t)array;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(array[1] == 7);
}
