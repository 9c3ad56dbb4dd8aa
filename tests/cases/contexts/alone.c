//@ property: assertion
//@ verdict: bug
//@ contexts: 0
// The main thread breaks it if no other moves.
#include <assert.h>
#include <pthread.h>

static int done;

static void *finish(void *argument) {
    done = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, finish, 0);
    assert(done); //~ BUG assertion thread=t0
    pthread_join(thread, 0);
    return 0;
}
