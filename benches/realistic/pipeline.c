/*
 * A pipeline: stages joined by queues, each stage with its own threads.
 *
 * A stage takes items from its input queue, applies its function and passes the
 * result on; a function may drop an item. When the input is closed and empty
 * the threads of the stage leave, and the last of them closes the output. So
 * closing the first queue shuts the whole pipeline down, in order.
 *
 * BUG: closing a queue wakes one waiting thread instead of all.
 *   Both threads of the filter stage wait for items when the source closes the queue;
 *   one is woken and leaves, the other one waits for ever, and so do all who join.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define ITEMS 2
#define MAX_THREADS 2

/* ---- items ------------------------------------------------------------------ */

struct item {
    int number;
    int value;
    struct item *next;
};

static struct item *item_new(int number, int value)
{
    struct item *item = malloc(sizeof *item);

    if (item == NULL) {
        fprintf(stderr, "pipeline: out of memory\n");
        exit(EXIT_FAILURE);
    }
    item->number = number;
    item->value = value;
    item->next = NULL;
    return item;
}

/* ---- queues ------------------------------------------------------------------ */

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct item *head;
    struct item **tail;
    bool closed;
};

static bool queue_init(struct queue *queue)
{
    if (pthread_mutex_init(&queue->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&queue->changed, NULL) != 0) {
        pthread_mutex_destroy(&queue->lock);
        return false;
    }
    queue->head = NULL;
    queue->tail = &queue->head;
    queue->closed = false;
    return true;
}

static void queue_destroy(struct queue *queue)
{
    assert(queue->head == NULL);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

static void queue_put(struct queue *queue, struct item *item)
{
    item->next = NULL;
    pthread_mutex_lock(&queue->lock);
    assert(!queue->closed);
    *queue->tail = item;
    queue->tail = &item->next;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/* The next item; NULL when the queue is closed and empty. */
static struct item *queue_take(struct queue *queue)
{
    struct item *item;

    pthread_mutex_lock(&queue->lock);
    while (queue->head == NULL && !queue->closed)
        pthread_cond_wait(&queue->changed, &queue->lock);
    item = queue->head;
    if (item != NULL) {
        queue->head = item->next;
        if (queue->head == NULL)
            queue->tail = &queue->head;
        item->next = NULL;
    }
    pthread_mutex_unlock(&queue->lock);
    return item;
}

static void queue_close(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
#ifdef BUG
    pthread_cond_signal(&queue->changed);
#else
    pthread_cond_broadcast(&queue->changed);
#endif
    pthread_mutex_unlock(&queue->lock);
}

/* ---- stages ------------------------------------------------------------------- */

/* The item, perhaps changed, or NULL if the function has disposed of it. */
typedef struct item *(*stage_fn)(struct item *item, void *context);

struct stage {
    const char *name;
    stage_fn apply;
    void *context;
    struct queue *input;
    struct queue *output; /* NULL for the last stage */
    pthread_mutex_t lock;
    int running; /* threads that have not left; under the lock */
    int thread_count;
    pthread_t threads[MAX_THREADS];
};

/* Whether the calling thread is the last one of its stage. */
static bool stage_leave(struct stage *stage)
{
    bool last;

    pthread_mutex_lock(&stage->lock);
    assert(stage->running > 0);
    last = --stage->running == 0;
    pthread_mutex_unlock(&stage->lock);
    return last;
}

static void *stage_main(void *arg)
{
    struct stage *stage = arg;
    struct item *item;

    while ((item = queue_take(stage->input)) != NULL) {
        item = stage->apply(item, stage->context);
        if (item != NULL && stage->output != NULL)
            queue_put(stage->output, item);
    }
    if (stage_leave(stage) && stage->output != NULL)
        queue_close(stage->output);
    return NULL;
}

static void stage_start(struct stage *stage, int thread_count)
{
    if (pthread_mutex_init(&stage->lock, NULL) != 0) {
        fprintf(stderr, "pipeline: cannot prepare stage %s\n", stage->name);
        exit(EXIT_FAILURE);
    }
    stage->running = thread_count;
    stage->thread_count = thread_count;
    for (int i = 0; i < thread_count; i++) {
        if (pthread_create(&stage->threads[i], NULL, stage_main, stage) != 0) {
            fprintf(stderr, "pipeline: cannot start stage %s\n", stage->name);
            exit(EXIT_FAILURE);
        }
    }
}

static void stage_join(struct stage *stage)
{
    for (int i = 0; i < stage->thread_count; i++)
        pthread_join(stage->threads[i], NULL);
    assert(stage->running == 0);
    pthread_mutex_destroy(&stage->lock);
}

/* ---- scenario: numbers, of which a filter drops the negative ones --------------- */

struct summary {
    int count;
    long sum;
    bool seen[ITEMS];
};

static struct item *drop_negative(struct item *item, void *context)
{
    (void)context;
    if (item->value < 0) {
        free(item);
        return NULL;
    }
    item->value *= 2;
    return item;
}

static struct item *summarise(struct item *item, void *context)
{
    struct summary *summary = context;

    assert(item->number >= 0 && item->number < ITEMS);
    assert(!summary->seen[item->number]);
    summary->seen[item->number] = true;
    summary->count++;
    summary->sum += item->value;
    free(item);
    return NULL;
}

int main(void)
{
    struct queue raw, filtered;
    struct summary summary = { .count = 0 };
    struct stage filter = {
        .name = "filter",
        .apply = drop_negative,
        .input = &raw,
        .output = &filtered,
    };
    struct stage sink = {
        .name = "sink",
        .apply = summarise,
        .context = &summary,
        .input = &filtered,
    };
    int expected_count = 0;
    long expected_sum = 0;

    if (!queue_init(&raw) || !queue_init(&filtered)) {
        fprintf(stderr, "pipeline: cannot prepare the queues\n");
        exit(EXIT_FAILURE);
    }
    stage_start(&filter, MAX_THREADS);
    stage_start(&sink, 1);

    for (int number = 0; number < ITEMS; number++) {
        int value = __VERIFIER_nondet_int() % 1000;

        if (value >= 0) {
            expected_count++;
            expected_sum += 2 * value;
        }
        queue_put(&raw, item_new(number, value));
    }
    queue_close(&raw);

    stage_join(&filter);
    stage_join(&sink);
    assert(summary.count == expected_count);
    assert(summary.sum == expected_sum);
    queue_destroy(&raw);
    queue_destroy(&filtered);
    return 0;
}
