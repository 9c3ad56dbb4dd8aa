/*
 * A bounded buffer whose capacity is only known at run time. Two producers put
 * any number of items; two consumers take items until it is closed and empty.
 *
 * BUG: a consumer looks once after it was woken, not again and again.
 *   A consumer waits; an item arrives; the other consumer takes it before the
 *   first one has the lock, and the first takes from an empty buffer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    int *items;
    unsigned int capacity;
    unsigned int count;
    unsigned int head; /* where the next item is taken */
    unsigned int tail; /* where the next item is put */
    bool closed;
};

static struct buffer buffer = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static bool buffer_init(struct buffer *b, unsigned int capacity)
{
    b->items = calloc(capacity, sizeof *b->items);
    b->capacity = capacity;
    return b->items != NULL;
}

static void buffer_put(struct buffer *b, int item)
{
    pthread_mutex_lock(&b->lock);
    while (b->count == b->capacity)
        pthread_cond_wait(&b->not_full, &b->lock);
    b->items[b->tail] = item;
    b->tail = b->tail + 1 == b->capacity ? 0 : b->tail + 1;
    b->count++;
    assert(b->count <= b->capacity);
    pthread_cond_signal(&b->not_empty);
    pthread_mutex_unlock(&b->lock);
}

static bool buffer_take(struct buffer *b, int *item)
{
    pthread_mutex_lock(&b->lock);
#ifdef BUG
    if (b->count == 0 && !b->closed)
#else
    while (b->count == 0 && !b->closed)
#endif
        pthread_cond_wait(&b->not_empty, &b->lock);
    if (b->count == 0 && b->closed) {
        pthread_mutex_unlock(&b->lock);
        return false;
    }
    assert(b->count > 0);
    assert(b->head < b->capacity);
    *item = b->items[b->head];
    b->head = b->head + 1 == b->capacity ? 0 : b->head + 1;
    b->count--;
    pthread_cond_signal(&b->not_full);
    pthread_mutex_unlock(&b->lock);
    return true;
}

static void buffer_close(struct buffer *b)
{
    pthread_mutex_lock(&b->lock);
    b->closed = true;
    pthread_cond_broadcast(&b->not_empty);
    pthread_mutex_unlock(&b->lock);
}

static void *producer_main(void *arg)
{
    while (__VERIFIER_nondet_int()) {
        int item = __VERIFIER_nondet_int();

        if (item > 0)
            buffer_put(arg, item);
    }
    return NULL;
}

static void *consumer_main(void *arg)
{
    int item;

    while (buffer_take(arg, &item))
        assert(item > 0);
    return NULL;
}

static pthread_t start(void *(*function)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, function, &buffer) != 0)
        exit(EXIT_FAILURE);
    return thread;
}

int main(void)
{
    unsigned int capacity = __VERIFIER_nondet_uint();
    pthread_t producers[2], consumers[2];

    if (capacity == 0 || capacity > 4096 || !buffer_init(&buffer, capacity))
        return EXIT_FAILURE;
    for (int i = 0; i < 2; i++) {
        producers[i] = start(producer_main);
        consumers[i] = start(consumer_main);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    buffer_close(&buffer);
    for (int i = 0; i < 2; i++)
        pthread_join(consumers[i], NULL);
    assert(buffer.count == 0);
    free(buffer.items);
    return 0;
}
