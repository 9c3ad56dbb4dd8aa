// The ABA problem: the compare-exchange of the thread succeeds if the second node lies where the first one did.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; };
_Atomic(struct node *) top;
int seen, taken;

void *work(void *argument) {
    struct node *old = top;
    if (!old || !__sync_bool_compare_and_swap(&seen, 0, 1))
        return 0;
    while (!taken)
        ;
    struct node *expected = old;
    int won = atomic_compare_exchange_strong(&top, &expected, (struct node *)0);
    assert(!won); //~ BUG assertion thread=t1
    return 0;
}

int main(void) {
    pthread_t thread;
    struct node *first = malloc(sizeof *first);
    top = first;
    pthread_create(&thread, 0, work, 0);
    while (!seen)
        ;
    free(first);
    top = malloc(sizeof *first);
    taken = 1;
    pthread_join(thread, 0);
}
