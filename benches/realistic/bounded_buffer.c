/*
 * A pool of threads behind a bounded buffer of jobs.
 *
 * Submitters wait while the buffer is full, workers wait while it is empty.
 * Closing the pool lets workers finish what is queued and then leave. A job is
 * a function and an argument on the heap, which the worker frees.
 *
 * BUG: a worker that was woken does not look again whether there is a job.
 *   Worker 1 waits; the submitter puts a job and signals; worker 2 arrives and takes the
 *   job before worker 1 has the lock again; worker 1 takes from an empty buffer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define BUFFER_CAPACITY 2
#define WORKERS 2
#define JOBS 3

/* ---- jobs -------------------------------------------------------------- */

typedef void (*job_fn)(void *arg);

struct job {
    job_fn run;
    void *arg;
};

/* ---- the bounded buffer ------------------------------------------------ */

struct buffer {
    struct job *slots;
    size_t capacity;
    size_t head;
    size_t count;
};

static bool buffer_init(struct buffer *buffer, size_t capacity)
{
    buffer->slots = calloc(capacity, sizeof *buffer->slots);
    if (buffer->slots == NULL)
        return false;
    buffer->capacity = capacity;
    buffer->head = 0;
    buffer->count = 0;
    return true;
}

static void buffer_destroy(struct buffer *buffer)
{
    free(buffer->slots);
    buffer->slots = NULL;
}

static bool buffer_full(const struct buffer *buffer)
{
    return buffer->count == buffer->capacity;
}

static bool buffer_empty(const struct buffer *buffer)
{
    return buffer->count == 0;
}

static void buffer_put(struct buffer *buffer, struct job job)
{
    assert(!buffer_full(buffer));
    buffer->slots[(buffer->head + buffer->count) % buffer->capacity] = job;
    buffer->count++;
}

static struct job buffer_take(struct buffer *buffer)
{
    struct job job;

    assert(!buffer_empty(buffer));
    job = buffer->slots[buffer->head];
    buffer->head = (buffer->head + 1) % buffer->capacity;
    buffer->count--;
    return job;
}

/* ---- the pool ---------------------------------------------------------- */

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    struct buffer jobs;
    bool closing;
    unsigned started;
    unsigned finished;
    size_t worker_count;
    pthread_t workers[WORKERS];
};

/* The next job; false when the pool is closed and nothing is left. */
static bool pool_next(struct pool *pool, struct job *job)
{
    pthread_mutex_lock(&pool->lock);
#ifdef BUG
    if (buffer_empty(&pool->jobs) && !pool->closing)
        pthread_cond_wait(&pool->not_empty, &pool->lock);
#else
    while (buffer_empty(&pool->jobs) && !pool->closing)
        pthread_cond_wait(&pool->not_empty, &pool->lock);
#endif
    if (pool->closing && buffer_empty(&pool->jobs)) {
        pthread_mutex_unlock(&pool->lock);
        return false;
    }
    *job = buffer_take(&pool->jobs);
    pool->started++;
    pthread_cond_signal(&pool->not_full);
    pthread_mutex_unlock(&pool->lock);
    return true;
}

static void pool_done(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->finished++;
    assert(pool->finished <= pool->started);
    pthread_mutex_unlock(&pool->lock);
}

static void *worker_main(void *arg)
{
    struct pool *pool = arg;
    struct job job;

    while (pool_next(pool, &job)) {
        job.run(job.arg);
        pool_done(pool);
    }
    return NULL;
}

/* Waits while the buffer is full; false if the pool is closing. */
static bool pool_submit(struct pool *pool, job_fn run, void *arg)
{
    struct job job = { .run = run, .arg = arg };
    bool accepted;

    pthread_mutex_lock(&pool->lock);
    while (buffer_full(&pool->jobs) && !pool->closing)
        pthread_cond_wait(&pool->not_full, &pool->lock);
    accepted = !pool->closing;
    if (accepted) {
        buffer_put(&pool->jobs, job);
        pthread_cond_signal(&pool->not_empty);
    }
    pthread_mutex_unlock(&pool->lock);
    return accepted;
}

/* Lets the workers finish and waits for them. */
static void pool_close(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->not_empty);
    pthread_cond_broadcast(&pool->not_full);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->worker_count; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->not_full);
    pthread_cond_destroy(&pool->not_empty);
    pthread_mutex_destroy(&pool->lock);
    buffer_destroy(&pool->jobs);
}

static bool pool_open(struct pool *pool)
{
    if (!buffer_init(&pool->jobs, BUFFER_CAPACITY))
        return false;
    if (pthread_mutex_init(&pool->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&pool->not_empty, NULL) != 0)
        goto no_not_empty;
    if (pthread_cond_init(&pool->not_full, NULL) != 0)
        goto no_not_full;
    pool->closing = false;
    pool->started = 0;
    pool->finished = 0;
    pool->worker_count = 0;
    while (pool->worker_count < WORKERS) {
        if (pthread_create(&pool->workers[pool->worker_count], NULL, worker_main, pool) != 0) {
            pool_close(pool);
            return false;
        }
        pool->worker_count++;
    }
    return true;

no_not_full:
    pthread_cond_destroy(&pool->not_empty);
no_not_empty:
    pthread_mutex_destroy(&pool->lock);
no_lock:
    buffer_destroy(&pool->jobs);
    return false;
}

/* ---- scenario: squares and negations are added up ----------------------- */

static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

struct number {
    int value;
};

static void total_add(int value)
{
    pthread_mutex_lock(&total_lock);
    total += value;
    pthread_mutex_unlock(&total_lock);
}

static void add_square(void *arg)
{
    struct number *number = arg;

    total_add(number->value * number->value);
    free(number);
}

static void add_negation(void *arg)
{
    struct number *number = arg;

    total_add(-number->value);
    free(number);
}

static struct number *number_new(int value)
{
    struct number *number = malloc(sizeof *number);

    if (number == NULL) {
        fprintf(stderr, "bounded_buffer: out of memory\n");
        exit(EXIT_FAILURE);
    }
    number->value = value;
    return number;
}

int main(void)
{
    static const job_fn kinds[] = { add_square, add_negation };
    struct pool pool;
    int expected = 0;

    if (!pool_open(&pool)) {
        fprintf(stderr, "bounded_buffer: cannot open the pool\n");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < JOBS; i++) {
        unsigned kind = __VERIFIER_nondet_uint() % 2;
        struct number *number = number_new(i + 1);

        expected += kind == 0 ? (i + 1) * (i + 1) : -(i + 1);
        if (!pool_submit(&pool, kinds[kind], number)) {
            free(number);
            return EXIT_FAILURE;
        }
    }
    pool_close(&pool);
    assert(pool.started == JOBS);
    assert(pool.finished == JOBS);
    assert(total == expected);
    pthread_mutex_destroy(&total_lock);
    return 0;
}
