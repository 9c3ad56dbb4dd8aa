/*
 * A session on the heap that is shared by the threads that serve its requests.
 * Each of them holds a reference, and whoever drops the last one frees it.
 *
 * BUG: a thread takes its reference itself, after it was started.
 *   The main thread starts a thread and drops its own reference, which is the
 *   last; the thread increments the counter of a session that is freed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

struct session {
    atomic_size_t references;
    unsigned int user;
    atomic_bool closed;
};

static struct session *session_open(unsigned int user)
{
    struct session *s = malloc(sizeof *s);

    if (s == NULL)
        return NULL;
    s->user = user;
    atomic_init(&s->references, 1);
    atomic_init(&s->closed, false);
    return s;
}

static void session_get(struct session *s)
{
    size_t before = atomic_fetch_add(&s->references, 1);

    assert(before > 0);
}

static void session_put(struct session *s)
{
    size_t before = atomic_fetch_sub(&s->references, 1);

    assert(before > 0);
    if (before == 1) {
        assert(!atomic_load(&s->closed));
        atomic_store(&s->closed, true);
        free(s);
    }
}

static unsigned int expected_user;

static void *serve(void *arg)
{
    struct session *s = arg;

#ifdef BUG
    session_get(s);
#endif
    assert(!atomic_load(&s->closed));
    assert(s->user == expected_user);
    session_put(s);
    return NULL;
}

static bool start_request(struct session *s)
{
    pthread_t thread;

#ifndef BUG
    session_get(s);
#endif
    if (pthread_create(&thread, NULL, serve, s) != 0) {
#ifndef BUG
        session_put(s);
#endif
        return false;
    }
    pthread_detach(thread);
    return true;
}

int main(void)
{
    unsigned int requests = __VERIFIER_nondet_uint();
    struct session *s;

    expected_user = __VERIFIER_nondet_uint();
    s = session_open(expected_user);
    if (s == NULL)
        return EXIT_FAILURE;
    for (unsigned int i = 0; i < requests; i++)
        if (!start_request(s))
            break;
    session_put(s);
    pthread_exit(NULL);
}
