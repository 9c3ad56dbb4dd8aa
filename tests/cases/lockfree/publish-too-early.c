//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; };
_Atomic(struct node *) published;

void *reader(void *unused) {
    struct node *node = atomic_load(&published);
    if (node)
        assert(node->value == 8); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    struct node *node = calloc(1, sizeof *node);
    atomic_store(&published, node);
    node->value = 8;
    pthread_join(a, 0);
    free(node);
}
