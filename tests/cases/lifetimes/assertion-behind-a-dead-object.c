// The assertion is reached only through an object that is gone: that is a memory error, not a failing assertion.
//@ property: memory-safety
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int started;
pthread_t a;

void *work(void *argument) {
    if (started)
        assert(*(int *)argument != 0); //~ BUG memory-safety thread=t1
    return 0;
}

static void start(void) {
    int local = 0;
    pthread_create(&a, 0, work, &local);
}

int main(void) {
    start();
    started = 1;
    pthread_join(a, 0);
}
