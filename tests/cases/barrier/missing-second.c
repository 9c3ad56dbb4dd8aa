// The cells are changed again while the other may still read them.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_barrier_t barrier;
int cells[2], sums[2];

void *work(void *number) {
    long me = (long)number;
    cells[me] = 1;
    pthread_barrier_wait(&barrier);
    sums[me] = cells[0] + cells[1]; //~ BUG data-race
    cells[me] = 2; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
