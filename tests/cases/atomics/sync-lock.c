//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int lock, x;

void *work(void *unused) {
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    x++;
    __sync_lock_release(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 2);
}
