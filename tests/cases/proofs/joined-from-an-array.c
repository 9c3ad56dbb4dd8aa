//@ property: assertion
//@ verdict: safe
//@ explore: random
/* Handles lie in memory of any size; whom a join waits for does not matter here. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    unsigned count = __VERIFIER_nondet_uchar() % 4;
    pthread_t *threads = malloc(4 * sizeof *threads);
    for (unsigned i = 0; i < count; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    pthread_mutex_lock(&lock);
    assert(inside == 0);
    pthread_mutex_unlock(&lock);
    free(threads);
    return 0;
}
