// Between the start of the thread and the end of main its argument is there to be read.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
    assert(*(int *)argument != 0); //~ BUG assertion thread=t1 //~ UNDEFINED memory-safety
    return 0;
}

int main(void) {
    pthread_t a;
    int local = 0;
    pthread_create(&a, 0, work, &local);
    return 0;
}
