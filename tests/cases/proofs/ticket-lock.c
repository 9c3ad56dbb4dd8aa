// A ticket lock, and any number of threads that take it again and again: of two tickets that are held one is lower.
//@ property: assertion
//@ verdict: safe
//@ bounds: unwind-max=2
//@ explore: random
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

unsigned serving, next;
int inside;

unsigned draw(void) {
    __VERIFIER_atomic_begin();
    if (next == UINT_MAX)
        exit(0);
    unsigned ticket = next;
    next = ticket + 1;
    __VERIFIER_atomic_end();
    return ticket;
}

void *work(void *unused) {
    for (;;) {
        unsigned ticket = draw();
        while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != ticket)
            ;
        inside = 1;
        assert(inside == 1);
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
