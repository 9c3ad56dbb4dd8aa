/*
 * A readers-writer lock made of a mutex and a condition variable. It protects
 * a range whose ends are moved by writers. Any number of readers and writers.
 *
 * BUG: a writer waits for readers only, not for another writer.
 *   One writer has moved one end of the range; a second writer enters, and
 *   finds an end that does not fit the other.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct rw_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned int readers;
    bool writing;
};

#define RW_LOCK_INITIALIZER \
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false }

static void read_lock(struct rw_lock *l)
{
    pthread_mutex_lock(&l->mutex);
    while (l->writing)
        pthread_cond_wait(&l->changed, &l->mutex);
    l->readers++;
    pthread_mutex_unlock(&l->mutex);
}

static void read_unlock(struct rw_lock *l)
{
    pthread_mutex_lock(&l->mutex);
    assert(l->readers > 0);
    l->readers--;
    if (l->readers == 0)
        pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->mutex);
}

static void write_lock(struct rw_lock *l)
{
    pthread_mutex_lock(&l->mutex);
#ifdef BUG
    while (l->readers > 0)
#else
    while (l->writing || l->readers > 0)
#endif
        pthread_cond_wait(&l->changed, &l->mutex);
    l->writing = true;
    pthread_mutex_unlock(&l->mutex);
}

static void write_unlock(struct rw_lock *l)
{
    pthread_mutex_lock(&l->mutex);
    l->writing = false;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->mutex);
}

static struct rw_lock lock = RW_LOCK_INITIALIZER;
static unsigned int range_start = 0;
static unsigned int range_end = 16;

static void *reader_main(void *unused)
{
    (void)unused;
    do {
        read_lock(&lock);
        assert(range_end - range_start == 16);
        read_unlock(&lock);
    } while (__VERIFIER_nondet_int());
    return NULL;
}

static void *writer_main(void *unused)
{
    (void)unused;
    do {
        unsigned int step = __VERIFIER_nondet_uint();

        write_lock(&lock);
        assert(range_end - range_start == 16);
        range_start += step;
        range_end += step;
        write_unlock(&lock);
    } while (__VERIFIER_nondet_int());
    return NULL;
}

int main(void)
{
    unsigned int threads = __VERIFIER_nondet_uint();

    for (unsigned int i = 0; i < threads; i++) {
        void *(*start)(void *) = __VERIFIER_nondet_int() ? writer_main : reader_main;
        pthread_t thread;

        if (pthread_create(&thread, NULL, start, NULL) != 0)
            return EXIT_FAILURE;
        pthread_detach(thread);
    }
    pthread_exit(NULL);
}
