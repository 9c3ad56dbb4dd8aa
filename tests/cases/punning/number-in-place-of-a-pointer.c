// A small number where a pointer may be, read as a pointer: it points nowhere.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdint.h>

static union { uintptr_t number; int *pointer; } both;
static int object;

static void *work(void *argument) {
    both.number = 5;
    return argument;
}

int main(void) {
    pthread_t thread;
    both.pointer = &object;
    pthread_create(&thread, 0, work, 0);
    int *pointer = both.pointer;
    *pointer = 1; //~ BUG memory-safety
    pthread_join(thread, 0);
}
