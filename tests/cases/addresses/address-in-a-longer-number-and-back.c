// An address that was kept in a longer number is an address again.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int object;
static unsigned long long number;

static void *work(void *argument) {
    *(int *)(uintptr_t)number = 3;
    return argument;
}

int main(void) {
    pthread_t thread;
    number = (uintptr_t)&object;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(object == 3 && number != 0);
}
