/*
 * A spin lock with exponential back-off. It protects the statistics of a
 * server with any number of threads.
 *
 * BUG: the lock is tested and then set, instead of exchanged.
 *   Two threads see the lock free, both set it and count at the same time; the
 *   sums no longer fit.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define MAX_BACK_OFF 64u

struct spin_lock {
    atomic_bool taken;
};

static bool spin_try_lock(struct spin_lock *l)
{
#ifdef BUG
    if (atomic_load(&l->taken))
        return false;
    atomic_store(&l->taken, true);
    return true;
#else
    return !atomic_exchange(&l->taken, true);
#endif
}

static void spin_lock(struct spin_lock *l)
{
    unsigned int back_off = 1;

    while (!spin_try_lock(l)) {
        for (unsigned int i = 0; i < back_off; i++)
            sched_yield();
        assert(back_off <= MAX_BACK_OFF);
        if (back_off < MAX_BACK_OFF)
            back_off *= 2;
    }
}

static void spin_unlock(struct spin_lock *l)
{
    atomic_store(&l->taken, false);
}

struct statistics {
    struct spin_lock lock;
    unsigned int requests;
    unsigned int served;
    unsigned int refused;
};

static struct statistics statistics;

static void count_request(struct statistics *s, bool served)
{
    spin_lock(&s->lock);
    s->requests++;
    if (served)
        s->served++;
    else
        s->refused++;
    assert(s->requests == s->served + s->refused);
    spin_unlock(&s->lock);
}

static void *connection_main(void *arg)
{
    (void)arg;
    while (__VERIFIER_nondet_int())
        count_request(&statistics, __VERIFIER_nondet_int() > 0);
    return NULL;
}

int main(void)
{
    while (1) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, connection_main, NULL) != 0)
            return EXIT_FAILURE;
        pthread_detach(thread);
    }
}
