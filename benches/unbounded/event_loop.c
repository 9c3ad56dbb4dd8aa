/*
 * An event loop: any number of threads post events, one thread takes all that
 * have been posted and handles them. What is posted after closing is refused, and what is too much.
 *
 * BUG: the loop unlocks between reading the list and emptying it.
 *   A thread posts an event in between; it is cut off and never handled.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define BACKLOG 1024

struct event {
    int code;
    struct event *next;
};

struct loop {
    pthread_mutex_t lock;
    pthread_cond_t posted;
    struct event *events; /* last one first */
    unsigned int waiting; /* accepted and not handled */
    bool closed;
};

static struct loop loop = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .posted = PTHREAD_COND_INITIALIZER,
};

static bool loop_post(struct loop *l, int code)
{
    struct event *event = malloc(sizeof *event);
    bool accepted;

    if (event == NULL)
        return false;
    event->code = code;
    pthread_mutex_lock(&l->lock);
    accepted = !l->closed && l->waiting < BACKLOG;
    if (accepted) {
        event->next = l->events;
        l->events = event;
        l->waiting++;
        pthread_cond_signal(&l->posted);
    }
    pthread_mutex_unlock(&l->lock);
    if (!accepted)
        free(event);
    return accepted;
}

static void loop_close(struct loop *l)
{
    pthread_mutex_lock(&l->lock);
    l->closed = true;
    pthread_cond_signal(&l->posted);
    pthread_mutex_unlock(&l->lock);
}

/* All events that were posted; null: the loop is closed. */
static struct event *loop_wait(struct loop *l)
{
    struct event *events;

    pthread_mutex_lock(&l->lock);
    while (l->events == NULL && !l->closed)
        pthread_cond_wait(&l->posted, &l->lock);
    events = l->events;
#ifdef BUG
    pthread_mutex_unlock(&l->lock);
    pthread_mutex_lock(&l->lock);
#endif
    l->events = NULL;
    pthread_mutex_unlock(&l->lock);
    return events;
}

static void loop_handle(struct loop *l, struct event *events)
{
    while (events != NULL) {
        struct event *next = events->next;

        assert(events->code >= 0);
        free(events);
        pthread_mutex_lock(&l->lock);
        assert(l->waiting > 0);
        l->waiting--;
        pthread_mutex_unlock(&l->lock);
        events = next;
    }
}

static void *loop_main(void *arg)
{
    struct loop *l = arg;
    struct event *events;

    while ((events = loop_wait(l)) != NULL)
        loop_handle(l, events);
    return NULL;
}

static void *poster_main(void *arg)
{
    int code;

    while ((code = __VERIFIER_nondet_int()) >= 0)
        if (!loop_post(arg, code))
            break;
    return NULL;
}

int main(void)
{
    pthread_t runner;

    if (pthread_create(&runner, NULL, loop_main, &loop) != 0)
        return EXIT_FAILURE;
    while (__VERIFIER_nondet_int()) {
        pthread_t poster;

        if (pthread_create(&poster, NULL, poster_main, &loop) != 0)
            break;
        pthread_detach(poster);
    }
    loop_close(&loop);
    pthread_join(runner, NULL);
    assert(loop.events == NULL);
    assert(loop.waiting == 0);
    return 0;
}
