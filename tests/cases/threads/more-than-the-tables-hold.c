//@ property: assertion
//@ verdict: bug
//@ explore: random
//@ bounds: unwind=301
// Threads that nobody joins need no entries in the tables of the thread API, so there is no limit to them.
#include <assert.h>
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
    int started = 0;
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, nothing, 0);
        started++;
    }
    assert(started != 300); //~ BUG assertion thread=t0
}
