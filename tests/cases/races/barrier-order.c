//@ property: data-race, assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int left, right;

void *work(void *unused) {
    left = 1;
    pthread_barrier_wait(&barrier);
    assert(right == 2);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, work, 0);
    right = 2;
    pthread_barrier_wait(&barrier);
    assert(left == 1);
    pthread_join(a, 0);
}
