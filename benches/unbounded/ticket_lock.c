/*
 * A ticket lock: threads draw a number and wait until it is called. It
 * protects transfers between two accounts, whose sum never changes.
 *
 * BUG: the number is drawn with a load and a store.
 *   Two threads draw the same number and enter together; one sees the sum in
 *   the middle of the other's transfer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct ticket_lock {
    atomic_uint next;
    atomic_uint serving;
};

static void ticket_lock(struct ticket_lock *l)
{
#ifdef BUG
    unsigned int mine = atomic_load(&l->next);

    atomic_store(&l->next, mine + 1);
#else
    unsigned int mine = atomic_fetch_add(&l->next, 1);
#endif
    while (atomic_load(&l->serving) != mine)
        ;
}

static void ticket_unlock(struct ticket_lock *l)
{
    /* Only the holder writes it. */
    unsigned int mine = atomic_load(&l->serving);

    atomic_store(&l->serving, mine + 1);
}

struct bank {
    struct ticket_lock lock;
    int current;
    int savings;
};

#define SUM 1000

static struct bank bank = { .current = SUM, .savings = 0 };

static void transfer(struct bank *b, int amount)
{
    ticket_lock(&b->lock);
    assert(b->current + b->savings == SUM);
    if (amount <= b->current) {
        b->current -= amount;
        b->savings += amount;
    }
    assert(b->current >= 0);
    ticket_unlock(&b->lock);
}

static void *client_main(void *arg)
{
    (void)arg;
    do {
        int amount = __VERIFIER_nondet_int();

        if (amount > 0 && amount <= SUM)
            transfer(&bank, amount);
    } while (__VERIFIER_nondet_int());
    return NULL;
}

int main(void)
{
    unsigned int clients = __VERIFIER_nondet_uint();

    for (unsigned int i = 0; i < clients; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, client_main, NULL) != 0)
            return EXIT_FAILURE;
        pthread_detach(thread);
    }
    pthread_exit(NULL);
}
