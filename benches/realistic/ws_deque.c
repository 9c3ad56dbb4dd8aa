/*
 * A work-stealing deque (Chase and Lev, SPAA 2005), with a growing ring.
 *
 * One owner pushes and pops at the bottom, any number of thieves steal at the
 * top. Only the last task is contended between owner and thieves; whoever
 * advances `top` has it. Rings that were outgrown stay allocated until the
 * deque is destroyed, since a thief may still read from one.
 *
 * BUG: the owner pops the last task without competing for it.
 *   The owner lowers `bottom` and reads `top`; a thief has read both before and
 *   now wins its exchange on `top`; both own, run and free the same task.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define INITIAL_CAPACITY 2
#define TASKS 3
#define STEAL_ATTEMPTS 2

/* ---- tasks ------------------------------------------------------------ */

struct worker;

struct task {
    void (*run)(struct worker *worker, struct task *self);
    int id;
    int weight;
};

/* ---- the deque -------------------------------------------------------- */

struct ring {
    long capacity; /* a power of two */
    struct ring *outgrown;
    _Atomic(struct task *) slots[];
};

struct deque {
    atomic_long top;
    atomic_long bottom;
    _Atomic(struct ring *) ring;
};

enum steal_result { STEAL_OK, STEAL_EMPTY, STEAL_ABORTED };

static struct ring *ring_new(long capacity, struct ring *outgrown)
{
    struct ring *ring = malloc(sizeof *ring + (size_t)capacity * sizeof ring->slots[0]);

    if (ring == NULL)
        return NULL;
    ring->capacity = capacity;
    ring->outgrown = outgrown;
    for (long i = 0; i < capacity; i++)
        atomic_init(&ring->slots[i], NULL);
    return ring;
}

static struct task *ring_get(struct ring *ring, long index)
{
    return atomic_load_explicit(&ring->slots[index & (ring->capacity - 1)], memory_order_relaxed);
}

static void ring_put(struct ring *ring, long index, struct task *task)
{
    atomic_store_explicit(&ring->slots[index & (ring->capacity - 1)], task, memory_order_relaxed);
}

static bool deque_init(struct deque *deque)
{
    struct ring *ring = ring_new(INITIAL_CAPACITY, NULL);

    if (ring == NULL)
        return false;
    atomic_init(&deque->top, 0);
    atomic_init(&deque->bottom, 0);
    atomic_init(&deque->ring, ring);
    return true;
}

/* Nobody may use the deque any more. */
static void deque_destroy(struct deque *deque)
{
    struct ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);

    while (ring != NULL) {
        struct ring *next = ring->outgrown;

        free(ring);
        ring = next;
    }
}

/* Owner only: a ring of twice the size with the same tasks. */
static struct ring *deque_grow(struct deque *deque, struct ring *old, long top, long bottom)
{
    struct ring *ring = ring_new(old->capacity * 2, old);

    if (ring == NULL)
        return NULL;
    for (long i = top; i < bottom; i++)
        ring_put(ring, i, ring_get(old, i));
    atomic_store_explicit(&deque->ring, ring, memory_order_release);
    return ring;
}

/* Owner only. */
static bool deque_push(struct deque *deque, struct task *task)
{
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    long top = atomic_load_explicit(&deque->top, memory_order_acquire);
    struct ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);

    if (bottom - top >= ring->capacity) {
        ring = deque_grow(deque, ring, top, bottom);
        if (ring == NULL)
            return false;
    }
    ring_put(ring, bottom, task);
    /* Publishes the slot and what the task points to. */
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
    return true;
}

/* Owner only: the youngest task, or NULL. */
static struct task *deque_pop(struct deque *deque)
{
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
    struct ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
    struct task *task;
    long top;

    /* Reserve first, look second: both must be in the single total order. */
    atomic_store(&deque->bottom, bottom);
    top = atomic_load(&deque->top);
    if (top > bottom) {
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
        return NULL;
    }
    task = ring_get(ring, bottom);
    if (top < bottom)
        return task; /* more than one left: no thief can reach this one */

    /* The last one: thieves compete for it. */
#ifdef BUG
    atomic_store(&deque->top, top + 1);
#else
    if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
        task = NULL;
#endif
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
    return task;
}

/* Anybody: the oldest task. */
static enum steal_result deque_steal(struct deque *deque, struct task **stolen)
{
    long top = atomic_load(&deque->top);
    long bottom = atomic_load(&deque->bottom);
    struct ring *ring;
    struct task *task;

    if (top >= bottom)
        return STEAL_EMPTY;
    ring = atomic_load_explicit(&deque->ring, memory_order_acquire);
    /* The slot may be stale by now, but then the exchange fails. */
    task = ring_get(ring, top);
    if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
        return STEAL_ABORTED;
    *stolen = task;
    return STEAL_OK;
}

/* ---- workers ---------------------------------------------------------- */

struct worker {
    struct deque *deque;
    int tasks_run;
    int weight_run;
};

static atomic_int executions[TASKS];

static void run_leaf(struct worker *worker, struct task *self)
{
    int before = atomic_fetch_add(&executions[self->id], 1);

    assert(before == 0); /* no task is run twice */
    worker->tasks_run++;
    worker->weight_run += self->weight;
}

static struct task *task_new(int id, int weight)
{
    struct task *task = malloc(sizeof *task);

    if (task == NULL)
        return NULL;
    task->run = run_leaf;
    task->id = id;
    task->weight = weight;
    return task;
}

static void worker_execute(struct worker *worker, struct task *task)
{
    task->run(worker, task);
    free(task);
}

static void *thief_main(void *arg)
{
    struct worker *self = arg;

    for (int attempt = 0; attempt < STEAL_ATTEMPTS; attempt++) {
        struct task *task = NULL;

        switch (deque_steal(self->deque, &task)) {
        case STEAL_OK:
            worker_execute(self, task);
            break;
        case STEAL_EMPTY:
        case STEAL_ABORTED:
            break;
        }
    }
    return NULL;
}

static void worker_drain(struct worker *self)
{
    struct task *task;

    while ((task = deque_pop(self->deque)) != NULL)
        worker_execute(self, task);
}

static void fail(const char *what)
{
    fprintf(stderr, "ws_deque: %s\n", what);
    exit(EXIT_FAILURE);
}

/* ---- scenario: one owner, one thief, three tasks, one growth ----------- */

int main(void)
{
    struct deque deque;
    struct worker owner = { .deque = &deque };
    struct worker thief = { .deque = &deque };
    pthread_t thread;
    int total = 0;

    if (!deque_init(&deque))
        fail("out of memory");
    if (pthread_create(&thread, NULL, thief_main, &thief) != 0)
        fail("cannot start the thief");

    for (int id = 0; id < TASKS; id++) {
        struct task *task = task_new(id, 10 * (id + 1));

        if (task == NULL || !deque_push(&deque, task))
            fail("out of memory");
        total += 10 * (id + 1);
    }
    worker_drain(&owner);
    if (pthread_join(thread, NULL) != 0)
        fail("cannot join the thief");
    /* A thief that lost against the owner leaves nothing behind. */
    worker_drain(&owner);

    for (int id = 0; id < TASKS; id++)
        assert(atomic_load(&executions[id]) == 1);
    assert(owner.tasks_run + thief.tasks_run == TASKS);
    assert(thief.tasks_run <= STEAL_ATTEMPTS);
    assert(owner.weight_run + thief.weight_run == total);
    deque_destroy(&deque);
    return 0;
}
