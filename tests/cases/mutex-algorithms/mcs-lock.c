// Mellor-Crummey and Scott: each waits at a node of its own.
//@ property: assertion, data-race, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; atomic_int waits; };
_Atomic(struct node *) tail;
int x;

void *work(void *unused) {
    struct node mine;
    atomic_init(&mine.next, 0);
    atomic_init(&mine.waits, 1);
    struct node *before = atomic_exchange(&tail, &mine);
    if (before) {
        atomic_store(&before->next, &mine);
        while (atomic_load(&mine.waits))
            ;
    }
    x++;
    struct node *expected = &mine;
    if (!atomic_compare_exchange_strong(&tail, &expected, 0)) {
        while (!atomic_load(&mine.next))
            ;
        atomic_store(&atomic_load(&mine.next)->waits, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 2);
}
