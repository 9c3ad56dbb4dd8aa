/*
 * A pool of buffers on the heap. Threads take a buffer, use it alone and give
 * it back; if there is none, they wait. Any number of threads.
 *
 * BUG: a buffer is cleared after it was given back.
 *   Another thread takes the buffer and marks it as its own; then the mark is
 *   cleared by the one who had it before.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct buffer {
    struct buffer *next; /* in the list of free ones */
    bool in_use;
    int content;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    struct buffer *free;
    unsigned int available;
    unsigned int total;
};

static struct pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .returned = PTHREAD_COND_INITIALIZER,
};

/* Before there are threads. */
static void pool_grow(struct pool *p)
{
    struct buffer *b = malloc(sizeof *b);

    if (b == NULL)
        exit(EXIT_FAILURE);
    b->in_use = false;
    b->content = 0;
    b->next = p->free;
    p->free = b;
    p->available++;
    p->total++;
}

static struct buffer *pool_get(struct pool *p)
{
    struct buffer *b;

    pthread_mutex_lock(&p->lock);
    while (p->free == NULL)
        pthread_cond_wait(&p->returned, &p->lock);
    assert(p->available > 0);
    b = p->free;
    p->free = b->next;
    p->available--;
    assert(!b->in_use);
    b->in_use = true;
    pthread_mutex_unlock(&p->lock);
    return b;
}

static void pool_put(struct pool *p, struct buffer *b)
{
#ifndef BUG
    b->in_use = false;
#endif
    pthread_mutex_lock(&p->lock);
    assert(p->available < p->total);
    b->next = p->free;
    p->free = b;
    p->available++;
    pthread_cond_signal(&p->returned);
    pthread_mutex_unlock(&p->lock);
#ifdef BUG
    b->in_use = false;
#endif
}

static void *client_main(void *arg)
{
    struct pool *p = arg;

    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        struct buffer *b = pool_get(p);

        b->content = value;
        assert(b->in_use);
        assert(b->content == value);
        pool_put(p, b);
    }
    return NULL;
}

int main(void)
{
    unsigned int size = __VERIFIER_nondet_uint();

    if (size == 0 || size > 1000)
        size = 1;
    for (unsigned int i = 0; i < size; i++)
        pool_grow(&pool);
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, client_main, &pool) != 0)
            break;
        pthread_detach(thread);
    }
    pthread_exit(NULL);
}
