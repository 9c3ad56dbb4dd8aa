// ABA: the child takes two nodes and puts the first one back while main is between its load and its exchange.
//@ property: assertion
//@ verdict: bug
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

void push(struct node *node) {
    struct node *old = atomic_load(&top);
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

void *work(void *unused) {
    struct node *first = pop(), *second = pop();
    if (first && second) {
        second->taken = 1;
        push(first);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    nodes[0].next = &nodes[1];
    atomic_store(&top, &nodes[0]);
    pthread_create(&a, 0, work, 0);
    pop();
    struct node *next = pop();
    assert(!next || !next->taken); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
