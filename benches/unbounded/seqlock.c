/*
 * A position that one thread updates and any number of threads read without a
 * lock: they read again if the sequence number has changed, or is odd.
 *
 * BUG: the writer leaves out the first increment.
 *   A reader reads the number, the writer stores the new x, the reader copies
 *   new x and old y and finds the number unchanged.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct position {
    unsigned int x;
    unsigned int y; /* always below x by the same distance */
};

#define DISTANCE 7u

struct shared_position {
    _Atomic uint64_t sequence; /* odd during an update; never wraps */
    atomic_uint x;
    atomic_uint y;
};

static struct shared_position shared = { 0, DISTANCE, 0 };

static void position_write(struct shared_position *s, const struct position *p)
{
    uint64_t sequence = atomic_load(&s->sequence);

#ifndef BUG
    atomic_store(&s->sequence, sequence + 1);
#endif
    atomic_store(&s->x, p->x);
    atomic_store(&s->y, p->y);
    atomic_store(&s->sequence, sequence + 2);
}

static struct position position_read(struct shared_position *s)
{
    struct position p;
    uint64_t before;

    for (;;) {
        before = atomic_load(&s->sequence);
        if (before % 2 != 0)
            continue;
        p.x = atomic_load(&s->x);
        p.y = atomic_load(&s->y);
        if (atomic_load(&s->sequence) == before)
            return p;
    }
}

static void *tracker_main(void *unused)
{
    unsigned int updates = __VERIFIER_nondet_uint();
    struct position p = { DISTANCE, 0 };

    (void)unused;
    for (unsigned int i = 0; i < updates; i++) {
        unsigned int moved = __VERIFIER_nondet_uint();

        p.x += moved;
        p.y += moved;
        position_write(&shared, &p);
    }
    return NULL;
}

static void *viewer_main(void *unused)
{
    (void)unused;
    while (__VERIFIER_nondet_int()) {
        struct position p = position_read(&shared);

        assert(p.x - p.y == DISTANCE);
    }
    return NULL;
}

static bool start(void *(*function)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, function, NULL) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

int main(void)
{
    if (!start(tracker_main))
        return EXIT_FAILURE;
    while (__VERIFIER_nondet_int())
        if (!start(viewer_main))
            return EXIT_FAILURE;
    return 0;
}
