/*
 * Settings that are loaded by the first thread that needs them: double-checked
 * initialisation, with an atomic pointer. Any number of threads ask for them.
 *
 * BUG: the second look, with the lock held, is left out.
 *   Two threads find no settings; both take the lock, one after the other, and
 *   both load.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct settings {
    unsigned int low_mark;
    unsigned int high_mark;
};

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) settings;
static unsigned int loads; /* protected by load_lock */

static struct settings *settings_load(void)
{
    struct settings *s = malloc(sizeof *s);

    if (s == NULL)
        exit(EXIT_FAILURE);
    s->low_mark = __VERIFIER_nondet_uint() % 100;
    s->high_mark = s->low_mark + 100;
    loads++;
    return s;
}

static const struct settings *settings_get(void)
{
    struct settings *s = atomic_load_explicit(&settings, memory_order_acquire);

    if (s != NULL)
        return s;
    pthread_mutex_lock(&load_lock);
#ifndef BUG
    s = atomic_load_explicit(&settings, memory_order_relaxed);
#endif
    if (s == NULL) {
        s = settings_load();
        assert(loads == 1);
        atomic_store_explicit(&settings, s, memory_order_release);
    }
    pthread_mutex_unlock(&load_lock);
    return s;
}

static void *request_main(void *arg)
{
    const struct settings *s = settings_get();

    (void)arg;
    assert(s != NULL);
    assert(s->low_mark < s->high_mark);
    assert(s->high_mark < 200);
    assert(settings_get() == s);
    return NULL;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, request_main, NULL) != 0)
            return EXIT_FAILURE;
        pthread_detach(thread);
    }
    return 0;
}
