//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may cancel the thread, whose handle it finds by name.
#include <assert.h>
#include <pthread.h>

struct { int number; pthread_t thread; } job;
static int own;
void other(void);

static void *work(void *unused) {
    own = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    job.thread = thread;
    other();
    pthread_join(thread, 0);
    assert(own == 1);
    return 0;
}
