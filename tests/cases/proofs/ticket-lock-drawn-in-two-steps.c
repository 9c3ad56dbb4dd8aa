// Two threads may draw the same ticket: between reading the number and writing it another one reads it.
//@ property: assertion
//@ verdict: bug
//@ explore: random
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

unsigned serving, next;
int inside;

unsigned draw(void) {
    unsigned ticket = __atomic_load_n(&next, __ATOMIC_SEQ_CST);
    if (ticket == UINT_MAX)
        exit(0);
    __atomic_store_n(&next, ticket + 1, __ATOMIC_SEQ_CST);
    return ticket;
}

void *work(void *unused) {
    for (;;) {
        unsigned ticket = draw();
        while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != ticket)
            ;
        inside = 1;
        assert(inside == 1); //~ BUG assertion
        inside = 0;
        __atomic_store_n(&serving, ticket + 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
