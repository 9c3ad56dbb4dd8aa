/* N threads that put four messages each into a hash table (Flanagan and Godefroid, POPL 2005): up to 11 of them never meet,
   8^(N - 11) classes. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static void *worker(void *arg) {
    int id = (int)(long)arg;
    for (int m = 1; m <= MESSAGES; m++) {
        int message = m * 11 + id;
        int h = message * 7 % SIZE;
        int free = 0;
        while (!atomic_compare_exchange_strong(&table[h], &free, message)) {
            h = (h + 1) % SIZE;
            free = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, worker, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
