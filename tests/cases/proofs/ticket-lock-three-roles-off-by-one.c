// One too many is let in: the level may rise to two.
//@ property: assertion
//@ verdict: bug
//@ explore: random
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

unsigned serving, next;
int level;

unsigned lock(void) {
    __VERIFIER_atomic_begin();
    if (next == UINT_MAX)
        exit(0);
    unsigned ticket = next++;
    __VERIFIER_atomic_end();
    while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != ticket)
        ;
    return ticket;
}

void unlock(unsigned ticket) {
    __atomic_store_n(&serving, ticket + 1, __ATOMIC_SEQ_CST);
}

void *fill(void *unused) {
    unsigned ticket = lock();
    if (level <= 1)
        level++;
    unlock(ticket);
    return unused;
}

void *drain(void *unused) {
    unsigned ticket = lock();
    if (level > 0)
        level--;
    unlock(ticket);
    return unused;
}

void *look(void *unused) {
    unsigned ticket = lock();
    assert(0 <= level && level <= 1); //~ BUG assertion
    unlock(ticket);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            pthread_create(&thread, 0, fill, 0);
        else if (__VERIFIER_nondet_bool())
            pthread_create(&thread, 0, drain, 0);
        else
            pthread_create(&thread, 0, look, 0);
    }
    return 0;
}
