// A counter beside the pointer tells that the stack was changed in between, whatever lies at the address now.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; };
struct node second, *top;
unsigned tag;
atomic_int seen, gone;

int __VERIFIER_atomic_replace(struct node *old, unsigned at, struct node *fresh) {
    if (top != old || tag != at)
        return 0;
    top = fresh;
    tag++;
    return 1;
}

void __VERIFIER_atomic_look(struct node **node, unsigned *at) {
    *node = top;
    *at = tag;
}

void *pop(void *argument) {
    struct node *old;
    unsigned at;
    __VERIFIER_atomic_look(&old, &at);
    struct node *next = old->next;
    seen = 1;
    int done = __VERIFIER_atomic_replace(old, at, next);
    assert(!(done && gone));
    return 0;
}

int main(void) {
    pthread_t thread;
    struct node *first = malloc(sizeof *first);
    first->next = &second;
    top = first;
    pthread_create(&thread, 0, pop, 0);
    while (!seen)
        ;
    if (__VERIFIER_atomic_replace(first, 0, &second)) {
        __VERIFIER_atomic_replace(&second, 1, 0);
        gone = 1;
        free(first);
        struct node *third = malloc(sizeof *third);
        third->next = 0;
        __VERIFIER_atomic_replace(0, 2, third);
    }
    pthread_join(thread, 0);
}
