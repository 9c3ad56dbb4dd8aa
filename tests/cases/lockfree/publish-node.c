// The node is filled before it is published with release.
//@ property: data-race, assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; };
_Atomic(struct node *) published;

void *reader(void *unused) {
    struct node *node = atomic_load_explicit(&published, memory_order_acquire);
    if (node)
        assert(node->value == 8);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    struct node *node = malloc(sizeof *node);
    node->value = 8;
    atomic_store_explicit(&published, node, memory_order_release);
    pthread_join(a, 0);
    free(node);
}
