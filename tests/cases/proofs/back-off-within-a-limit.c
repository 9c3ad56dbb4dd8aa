//@ property: assertion
//@ verdict: safe
//@ explore: random
/* A spin lock whose threads wait 1, 2, 4, …, 64 rounds: each number is twice the one before. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
static atomic_int lock;

static void *work(void *argument) {
    unsigned rounds = 1;
    while (atomic_exchange(&lock, 1)) {
        assert(rounds >= 1 && rounds <= 64);
        if (rounds < 64)
            rounds *= 2;
    }
    atomic_store(&lock, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
