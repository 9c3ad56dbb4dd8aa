//@ property: assertion
//@ verdict: bug
//@ contexts: 4
// The second thread does all that it does in the middle of the first iteration of the other one.
#include <assert.h>
#include <pthread.h>

static int x, last;

static void *count(void *argument) {
    for (int i = 0; i < 2; i++) {
        int seen = x;
        x = seen + 1;
    }
    last = x;
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, count, 0);
    pthread_create(&second, 0, count, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x != 2); //~ BUG assertion thread=t0
    return 0;
}
