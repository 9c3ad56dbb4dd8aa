//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may call pthread_exit.
#include <assert.h>
#include <pthread.h>

static int own;
void other(void);

static void *work(void *unused) {
    other();
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
