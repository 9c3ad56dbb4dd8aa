// A node is published by a release store.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { int value; };
struct node *published;

void *writer(void *unused) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    __atomic_store_n(&published, node, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    struct node *node = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
    if (node)
        assert(node->value == 1);
    pthread_join(a, 0);
}
