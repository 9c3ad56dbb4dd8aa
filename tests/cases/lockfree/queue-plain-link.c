// The link is stored without looking: one of two nodes gets lost.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; };
struct node dummy, nodes[2];
_Atomic(struct node *) tail = &dummy;

void enqueue(struct node *node) {
    struct node *last = atomic_load(&tail);
    atomic_store(&last->next, node);
    atomic_store(&tail, node);
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
    assert(atomic_load(&first->next)); //~ BUG assertion thread=t0
}
