// The main thread's own variables end with pthread_exit.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

_Thread_local int own;

void *work(void *argument) {
    *(int *)argument = 1; //~ BUG memory-safety thread=t1
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, &own);
    pthread_exit(0);
}
