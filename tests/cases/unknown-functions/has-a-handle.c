//@ property: lock-misuse
//@ verdict: unknown
//@ reason: depends on `take`, which has no body
// It may join or detach the thread.
#include <pthread.h>

void take(pthread_t thread);

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    take(thread);
    pthread_join(thread, 0);
    return 0;
}
