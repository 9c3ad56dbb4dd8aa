/*
 * A logger with a ring of records. Any number of threads log, and lose a record
 * if the ring is full; one thread writes the records out.
 *
 * BUG: a lost record is counted after the lock is released.
 *   The record is counted as logged, not yet as lost; the writer adds up what
 *   it finds in between.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum level { DEBUG, INFO, WARNING, ERROR };

struct record {
    enum level level;
    int code;
};

#define RING 4u

struct logger {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct record ring[RING];
    unsigned int first;
    unsigned int count;
    atomic_uint logged; /* these three only wrap together */
    atomic_uint written;
    atomic_uint lost;
    _Atomic enum level threshold;
};

static struct logger logger = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .filled = PTHREAD_COND_INITIALIZER,
    .threshold = INFO,
};

static void log_message(struct logger *l, enum level level, int code)
{
    bool full;

    if (level < atomic_load(&l->threshold))
        return;
    pthread_mutex_lock(&l->lock);
    atomic_fetch_add(&l->logged, 1);
    full = l->count == RING;
    if (!full) {
        struct record *r = &l->ring[(l->first + l->count) % RING];

        r->level = level;
        r->code = code;
        l->count++;
        pthread_cond_signal(&l->filled);
    }
#ifdef BUG
    pthread_mutex_unlock(&l->lock);
    if (full)
        atomic_fetch_add(&l->lost, 1);
#else
    if (full)
        atomic_fetch_add(&l->lost, 1);
    pthread_mutex_unlock(&l->lock);
#endif
}

static struct record next_record(struct logger *l)
{
    struct record r;

    pthread_mutex_lock(&l->lock);
    while (l->count == 0)
        pthread_cond_wait(&l->filled, &l->lock);
    r = l->ring[l->first];
    l->first = (l->first + 1) % RING;
    l->count--;
    atomic_fetch_add(&l->written, 1);
    assert(l->logged == l->written + l->lost + l->count);
    pthread_mutex_unlock(&l->lock);
    return r;
}

static void *writer_main(void *arg)
{
    while (1) {
        struct record r = next_record(arg);

        assert(r.level >= INFO);
        if (r.level == ERROR)
            assert(r.code != 0);
    }
    return NULL;
}

static void *client_main(void *arg)
{
    while (__VERIFIER_nondet_int()) {
        int code = __VERIFIER_nondet_int();

        log_message(arg, DEBUG, code);
        log_message(arg, code == 0 ? INFO : ERROR, code);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, writer_main, &logger) != 0)
        return EXIT_FAILURE;
    while (__VERIFIER_nondet_int()) {
        if (pthread_create(&thread, NULL, client_main, &logger) != 0)
            return EXIT_FAILURE;
        pthread_detach(thread);
    }
    return 0;
}
