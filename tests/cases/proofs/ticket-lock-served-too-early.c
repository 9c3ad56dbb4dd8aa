// The number that is served goes on before the section is left.
//@ property: assertion
//@ verdict: bug
//@ explore: random
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

unsigned serving, next;
int inside;

void *work(void *unused) {
    unsigned ticket = __atomic_load_n(&next, __ATOMIC_SEQ_CST);
    do {
        if (ticket == 4000000000u)
            return unused;
    } while (!__atomic_compare_exchange_n(&next, &ticket, ticket + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != ticket)
        ;
    __atomic_fetch_add(&serving, 1, __ATOMIC_SEQ_CST);
    inside = 1;
    assert(inside == 1); //~ BUG assertion
    inside = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    work(0);
    return 0;
}
