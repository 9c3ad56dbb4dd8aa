//@ property: assertion
//@ verdict: bug
//@ contexts: 5
//@ finds: exhaustive
// Each thread goes on only when the other one has: to the first, to the second, and so on.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *one(void *argument) {
    x = 1;
    if (y == 1) {
        x = 2;
        assert(y != 2); //~ BUG assertion thread=t1
    }
    return argument;
}

static void *other(void *argument) {
    if (x == 1) {
        y = 1;
        if (x == 2)
            y = 2;
    }
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, other, 0);
    return 0;
}
