// Main never touches the variable, but ends it.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

void *work(void *argument) {
    int *own = argument;
    *own = 1; //~ BUG memory-safety thread=t1
    while (*own != 1) //~ BUG memory-safety thread=t1
        ;
    return 0;
}

int main(void) {
    pthread_t a;
    int local;
    pthread_create(&a, 0, work, &local);
    return 0;
}
