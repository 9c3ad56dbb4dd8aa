// A popped node is freed while the other thread still looks at its link.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; };
_Atomic(struct node *) top;

void *pop(void *unused) {
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) //~ BUG memory-safety
        ;
    free(old);
    return unused;
}

int main(void) {
    pthread_t a;
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    atomic_store(&top, node);
    pthread_create(&a, 0, pop, 0);
    pop(0);
    pthread_join(a, 0);
}
