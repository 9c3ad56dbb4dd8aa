//@ property: assertion
//@ verdict: bug
//@ contexts: 4
// To the first thread, in its middle to the second one, back, and to the main thread.
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *argument) {
    int seen = x;
    x = seen + 1;
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x == 2); //~ BUG assertion thread=t0
    return 0;
}
