// The thread gets a local variable of a function that returns before the thread is done.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

pthread_t a;

void *work(void *argument) {
    *(int *)argument = 1; //~ BUG memory-safety thread=t1
    return 0;
}

void start(void) {
    int local = 0;
    pthread_create(&a, 0, work, &local);
}

int main(void) {
    start();
    pthread_join(a, 0);
}
