// A node is published by a plain store: it may be found before it is filled.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { int value; };
struct node *published;

void *writer(void *unused) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    published = node;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    struct node *node = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
    if (node)
        assert(node->value == 1); //~ BUG assertion
    pthread_join(a, 0);
}
