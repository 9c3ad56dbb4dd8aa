//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may be a cancellation point, and then the cleanup handler runs.
#include <assert.h>
#include <pthread.h>

static int cleaned;
static void clean(void *unused) { cleaned = 1; }
void other(void);

static void *work(void *unused) {
    pthread_cleanup_push(clean, 0);
    other();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    assert(cleaned == 0);
    return 0;
}
