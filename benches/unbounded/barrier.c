/*
 * A barrier for n threads, made of a mutex and a condition variable. The
 * threads work in rounds: all fill their cell, then all read their neighbour's.
 *
 * BUG: threads wait for the count to be zero, not for the next generation.
 *   The last thread sets the count to zero and is soon back at the barrier;
 *   a slow thread wakes, sees a count of one, and waits for ever.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t released;
    unsigned int parties;
    unsigned int arrived;
    unsigned int generation;
};

static void barrier_init(struct barrier *b, unsigned int parties)
{
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->released, NULL);
    b->parties = parties;
    b->arrived = 0;
    b->generation = 0;
}

static void barrier_wait(struct barrier *b)
{
    pthread_mutex_lock(&b->lock);
    b->arrived++;
    assert(b->arrived <= b->parties);
    if (b->arrived == b->parties) {
        b->arrived = 0;
        b->generation++;
        pthread_cond_broadcast(&b->released);
    } else {
#ifdef BUG
        while (b->arrived != 0)
#else
        unsigned int mine = b->generation;

        while (b->generation == mine)
#endif
            pthread_cond_wait(&b->released, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
}

static struct barrier barrier;
static unsigned int parties;
static unsigned int rounds;
static unsigned int *cells;

struct party {
    pthread_t thread;
    unsigned int index;
};

static void *party_main(void *arg)
{
    const struct party *self = arg;
    unsigned int neighbour = self->index + 1 < parties ? self->index + 1 : 0;

    for (unsigned int round = 1; round <= rounds; round++) {
        cells[self->index] = round;
        barrier_wait(&barrier);
        assert(cells[neighbour] == round);
        barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    struct party *all;

    parties = __VERIFIER_nondet_uint();
    rounds = __VERIFIER_nondet_uint();
    if (parties == 0 || parties > 1000 || rounds > 1000000)
        return EXIT_FAILURE;
    cells = calloc(parties, sizeof *cells);
    all = calloc(parties, sizeof *all);
    if (cells == NULL || all == NULL)
        return EXIT_FAILURE;
    barrier_init(&barrier, parties);
    for (unsigned int i = 0; i < parties; i++) {
        all[i].index = i;
        if (pthread_create(&all[i].thread, NULL, party_main, &all[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (unsigned int i = 0; i < parties; i++)
        pthread_join(all[i].thread, NULL);
    assert(barrier.arrived == 0);
    free(all);
    free(cells);
    return 0;
}
