// The flag is set before the last use.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
pthread_t a;

void *work(void *argument) {
    atomic_store(&done, 1);
    *(int *)argument = 1; //~ BUG memory-safety thread=t1
    return 0;
}

void start(void) {
    int local = 0;
    pthread_create(&a, 0, work, &local);
    while (!atomic_load(&done))
        ;
}

int main(void) {
    start();
    pthread_join(a, 0);
}
