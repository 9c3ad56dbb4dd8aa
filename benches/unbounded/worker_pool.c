/*
 * A pool of workers behind a queue of jobs. Shutting down lets the workers
 * finish what is queued, then joins them.
 *
 * BUG: a worker that sees the shutdown leaves without looking at the queue.
 *   The main thread submits a job and shuts down before any worker runs; all
 *   workers leave, and the job is never done.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct job {
    int input;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct job *first;
    struct job *last;
    unsigned int queued;    /* jobs in the list */
    unsigned int running;   /* jobs taken and not finished */
    bool stopping;
    unsigned int size;
    pthread_t *workers;
};

static struct pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
};

static bool pool_submit(struct pool *p, int input)
{
    struct job *job = malloc(sizeof *job);

    if (job == NULL)
        return false;
    job->input = input;
    job->next = NULL;
    pthread_mutex_lock(&p->lock);
    if (p->last != NULL)
        p->last->next = job;
    else
        p->first = job;
    p->last = job;
    p->queued++;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    return true;
}

/* Waits for a job. Null: there will be none. */
static struct job *pool_take(struct pool *p)
{
    struct job *job = NULL;

    pthread_mutex_lock(&p->lock);
    while (p->first == NULL && !p->stopping)
        pthread_cond_wait(&p->wake, &p->lock);
#ifdef BUG
    if (!p->stopping) {
#else
    if (p->first != NULL) {
#endif
        job = p->first;
        p->first = job->next;
        if (p->first == NULL)
            p->last = NULL;
        p->queued--;
        p->running++;
    }
    pthread_mutex_unlock(&p->lock);
    return job;
}

static void pool_finished(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    assert(p->running > 0);
    p->running--;
    pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *arg)
{
    struct pool *p = arg;
    struct job *job;

    while ((job = pool_take(p)) != NULL) {
        assert(job->input >= 0);
        free(job);
        pool_finished(p);
    }
    return NULL;
}

static void pool_start(struct pool *p, unsigned int wanted)
{
    p->workers = malloc(wanted * sizeof *p->workers);
    if (p->workers == NULL)
        exit(EXIT_FAILURE);
    for (p->size = 0; p->size < wanted; p->size++)
        if (pthread_create(&p->workers[p->size], NULL, worker_main, p) != 0)
            exit(EXIT_FAILURE);
}

static void pool_shutdown(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (unsigned int i = 0; i < p->size; i++)
        pthread_join(p->workers[i], NULL);
    free(p->workers);
}

int main(void)
{
    unsigned int workers = __VERIFIER_nondet_uint();

    if (workers == 0 || workers > 64)
        workers = 2;
    pool_start(&pool, workers);
    while (__VERIFIER_nondet_int()) {
        int input = __VERIFIER_nondet_int();

        if (input >= 0 && !pool_submit(&pool, input))
            break;
    }
    pool_shutdown(&pool);
    assert(pool.first == NULL);
    assert(pool.queued == 0);
    assert(pool.running == 0);
    return 0;
}
