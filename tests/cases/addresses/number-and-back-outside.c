// The same, but the number leads outside of its object.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdint.h>

int array[4];
uintptr_t number;

void *work(void *argument) {
    *(int *)(number + 4 * sizeof(int)) = 7; //~ BUG memory-safety
    return 0;
}

int main(void) {
    pthread_t thread;
    number = (uintptr_t)array;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
