// A popper announces the node it looks at; whoever took the node frees it only when nobody announces it.
//@ property: memory-safety
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; };
_Atomic(struct node *) top, hazard[2];

void *pop(void *number) {
    long me = (long)number;
    struct node *old = atomic_load(&top);
    while (old) {
        atomic_store(&hazard[me], old);
        if (atomic_load(&top) == old) {
            struct node *next = old->next;
            struct node *expected = old;
            if (atomic_compare_exchange_strong(&top, &expected, next))
                break;
        }
        old = atomic_load(&top);
    }
    atomic_store(&hazard[me], 0);
    if (old && atomic_load(&hazard[1 - me]) != old)
        free(old);
    return 0;
}

int main(void) {
    pthread_t a;
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    atomic_store(&top, node);
    pthread_create(&a, 0, pop, (void *)1);
    pop((void *)0);
    pthread_join(a, 0);
}
