// The same where no address is given out twice: nobody is deceived.
//@ property: assertion
//@ verdict: safe
//@ address-reuse: never
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; };
struct node second;
_Atomic(struct node *) top;
atomic_int seen, gone;

void *pop(void *argument) {
    struct node *old = top, *next = old->next;
    seen = 1;
    int done = atomic_compare_exchange_strong(&top, &old, next);
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
    struct node *old = first;
    if (atomic_compare_exchange_strong(&top, &old, &second)) {
        top = 0;
        gone = 1;
        free(first);
        struct node *third = malloc(sizeof *third);
        third->next = 0;
        top = third;
    }
    pthread_join(thread, 0);
}
