//@ property: assertion
//@ verdict: bug
/* A thread starts in what a pointer says, also if that takes no argument. */
#include <assert.h>
#include <pthread.h>

static void *fail() {
    assert(0); //~ BUG assertion
    return 0;
}

static void *(*start)() = fail;

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, start, 0);
    pthread_join(thread, 0);
    return 0;
}
