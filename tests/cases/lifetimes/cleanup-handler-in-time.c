// Handlers run before the frames of the thread end.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int seen;

static void handle(void *argument) { seen = *(int *)argument; }

static void leave(void) {
    int inner = 6;
    pthread_cleanup_push(handle, &inner);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}

void *work(void *unused) {
    (void)unused;
    leave();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(seen == 6);
}
