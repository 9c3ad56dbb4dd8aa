// The thread may run before the function that started it returns.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_t a;

void *work(void *argument) {
    assert(((int *)argument)[1] != 2); //~ BUG assertion thread=t1 //~ UNDEFINED memory-safety
    return 0;
}

void start(void) {
    int locals[2] = { 1, 2 };
    pthread_create(&a, 0, work, locals);
}

int main(void) {
    start();
    pthread_join(a, 0);
}
