// The function waits until the thread no longer needs its variable.
//@ property: data-race, memory-safety
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
pthread_t a;

void *work(void *argument) {
    *(int *)argument = 1;
    atomic_store(&done, 1);
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
