//@ property: assertion
//@ verdict: safe
// However often threads are switched, the main thread has waited.
#include <assert.h>
#include <pthread.h>

static int x;

static void *set(void *argument) {
    x = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_join(thread, 0);
    assert(x == 1);
    return 0;
}
