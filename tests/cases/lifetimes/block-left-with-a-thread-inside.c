// The thread may still run when the block of its argument is left.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

void *work(void *argument) {
    *(int *)argument = 1; //~ BUG memory-safety thread=t1
    return 0;
}

int main(void) {
    pthread_t a;
    {
        int inner = 0;
        pthread_create(&a, 0, work, &inner);
    }
    pthread_join(a, 0);
}
