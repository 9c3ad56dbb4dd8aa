//@ property: assertion, lock-misuse, data-race, memory-safety
//@ verdict: safe
// The thread calls nothing that may end it, and its handle and its result are known to nobody else.
#include <assert.h>
#include <pthread.h>

static int own;
void other(void);

static void *work(void *unused) {
    own = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    other();
    pthread_join(thread, &result);
    assert(own == 1 && result == 0);
    return 0;
}
