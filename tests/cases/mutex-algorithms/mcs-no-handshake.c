// The releaser does not wait for its successor's link, and leaves it waiting.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; atomic_int waits; };
_Atomic(struct node *) tail;

void *work(void *unused) {
    struct node mine;
    atomic_init(&mine.next, 0);
    atomic_init(&mine.waits, 1);
    struct node *before = atomic_exchange(&tail, &mine);
    if (before) {
        atomic_store(&before->next, &mine); //~ BUG memory-safety
        while (atomic_load(&mine.waits))
            ;
    }
    struct node *expected = &mine;
    if (!atomic_compare_exchange_strong(&tail, &expected, 0)) {
        struct node *after = atomic_load(&mine.next);
        if (after)
            atomic_store(&after->waits, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_exit(0);
}
