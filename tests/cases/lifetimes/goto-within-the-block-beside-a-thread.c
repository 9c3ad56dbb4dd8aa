// The thread's argument lives on when its declaration is passed again.
//@ property: memory-safety
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

void *work(void *argument) {
    atomic_fetch_add((atomic_int *)argument, 1);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int started = 0;
again:;
    atomic_int shared = 0;
    pthread_create(&threads[started], 0, work, &shared);
    started++;
    if (started < 2)
        goto again;
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
