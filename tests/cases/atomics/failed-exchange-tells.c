// A failed exchange gives what it found.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int owner;

void *work(void *number) {
    int nobody = 0, me = (int)(long)number;
    if (!__atomic_compare_exchange_n(&owner, &nobody, me, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        assert(nobody == 3 - me);
    else
        assert(nobody == 0);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)2);
    pthread_join(a, 0);
    assert(owner == 1 || owner == 2);
}
