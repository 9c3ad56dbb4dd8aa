/*
 * A token bucket. A thread adds tokens up to the size of the bucket, and every
 * request takes one or is refused. Any number of threads make requests.
 *
 * BUG: looking for a token and taking it are two critical sections.
 *   Two threads see the last token, and both take it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct bucket {
    pthread_mutex_t lock;
    int tokens;
    int size;
};

static struct bucket bucket = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void bucket_fill(struct bucket *b, int tokens)
{
    pthread_mutex_lock(&b->lock);
    if (tokens > b->size - b->tokens)
        tokens = b->size - b->tokens;
    b->tokens += tokens;
    assert(b->tokens <= b->size);
    pthread_mutex_unlock(&b->lock);
}

static bool bucket_take(struct bucket *b)
{
    bool granted = false;

    pthread_mutex_lock(&b->lock);
    if (b->tokens > 0)
        granted = true;
#ifdef BUG
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_lock(&b->lock);
#endif
    if (granted) {
        b->tokens--;
        assert(b->tokens >= 0);
    }
    pthread_mutex_unlock(&b->lock);
    return granted;
}

static void *clock_main(void *arg)
{
    struct bucket *b = arg;

    while (1) {
        int tokens = __VERIFIER_nondet_int();

        if (tokens > 0)
            bucket_fill(b, tokens);
    }
    return NULL;
}

static void *request_main(void *arg)
{
    struct bucket *b = arg;
    int granted = 0;

    while (granted < 10) {
        if (bucket_take(b))
            granted++;
        else if (__VERIFIER_nondet_int())
            break;
    }
    assert(granted <= 10);
    return NULL;
}

static bool start(void *(*function)(void *), struct bucket *b)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, function, b) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

int main(void)
{
    int size = __VERIFIER_nondet_int();

    if (size < 1 || size > 1000000)
        return EXIT_FAILURE;
    bucket.size = size;
    bucket.tokens = size;
    if (!start(clock_main, &bucket))
        return EXIT_FAILURE;
    while (__VERIFIER_nondet_int())
        if (!start(request_main, &bucket))
            break;
    pthread_mutex_lock(&bucket.lock);
    assert(bucket.tokens >= 0 && bucket.tokens <= bucket.size);
    pthread_mutex_unlock(&bucket.lock);
    return 0;
}
