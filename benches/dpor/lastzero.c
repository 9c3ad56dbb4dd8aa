/* N writers, of which each sets its element to one more than the one before, and a reader that looks for the last zero from
   the end: (N + 3) * 2^(N - 2) classes. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int array[N + 1];

static void *last_zero(void *arg) {
    (void)arg;
    int i = N;
    while (atomic_load(&array[i]) != 0)
        i--;
    return 0;
}

static void *writer(void *arg) {
    int i = (int)(long)arg;
    atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
    return 0;
}

int main(void) {
    pthread_t reader, writers[N];
    pthread_create(&reader, 0, last_zero, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&writers[i], 0, writer, (void *)(long)(i + 1));
    pthread_join(reader, 0);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], 0);
    return 0;
}
