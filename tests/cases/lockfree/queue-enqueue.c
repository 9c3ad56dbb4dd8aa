// Michael and Scott's queue: two enqueuers, then everything is there.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; int value; };
struct node dummy, nodes[2];
_Atomic(struct node *) tail = &dummy;

void enqueue(struct node *node) {
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

void *work(void *unused) {
    enqueue(&nodes[1]);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    enqueue(&nodes[0]);
    pthread_join(a, 0);
    struct node *first = atomic_load(&dummy.next);
    assert(first);
    struct node *second = atomic_load(&first->next);
    assert(second && second != first && !atomic_load(&second->next));
    assert(atomic_load(&tail) == second);
}
