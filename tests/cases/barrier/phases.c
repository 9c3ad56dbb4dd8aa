//@ property: assertion, data-race, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int cells[2], sums[2];

void *work(void *number) {
    long me = (long)number;
    cells[me] = 1;
    pthread_barrier_wait(&barrier);
    sums[me] = cells[0] + cells[1];
    pthread_barrier_wait(&barrier);
    assert(sums[1 - me] == 2);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
    pthread_barrier_destroy(&barrier);
}
