//@ property: data-race
//@ verdict: safe
/* A local variable of the main thread is a worker's until that one has ended. */
#include <pthread.h>

static void *work(void *argument) {
    int *sum = argument;
    for (int i = 0; i < 3; i++)
        *sum += i;
    return 0;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, 0, work, &sum);
    pthread_join(thread, 0);
    return sum;
}
