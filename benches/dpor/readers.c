/* One writer and N readers of one variable: each reader reads before or behind the write, 2^N classes. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *reader(void *arg) {
    (void)arg;
    atomic_load(&x);
    return 0;
}

int main(void) {
    pthread_t readers[N];
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], 0, reader, 0);
    atomic_store(&x, 1);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], 0);
    return 0;
}
