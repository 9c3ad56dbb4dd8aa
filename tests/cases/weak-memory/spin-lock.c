// A spin lock that is released by a release store.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int busy, inside;

void *work(void *number) {
    (void)number;
    while (__sync_lock_test_and_set(&busy, 1))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    __sync_lock_release(&busy);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
