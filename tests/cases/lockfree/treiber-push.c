//@ property: assertion, data-race, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; };
_Atomic(struct node *) top;
struct node nodes[2];

void push(struct node *node) {
    struct node *old = atomic_load(&top);
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

void *work(void *unused) {
    push(&nodes[1]);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    push(&nodes[0]);
    pthread_join(a, 0);
    struct node *first = atomic_load(&top);
    assert(first && first->next && !first->next->next);
}
