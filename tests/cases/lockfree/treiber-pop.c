// Nodes are never used again, so nobody is fooled.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; int taken; };
_Atomic(struct node *) top;
struct node nodes[2];

struct node *pop(void) {
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    return old;
}

void *work(void *unused) {
    struct node *node = pop();
    assert(node && !node->taken);
    node->taken = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    nodes[0].next = &nodes[1];
    atomic_store(&top, &nodes[0]);
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(!pop());
}
