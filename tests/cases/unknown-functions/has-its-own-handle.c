//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `take`, which has no body
// A thread gives away its own handle.
#include <assert.h>
#include <pthread.h>

static int own;
void take(pthread_t thread);

static void *work(void *unused) {
    take(pthread_self());
    own = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(own == 1);
    return 0;
}
