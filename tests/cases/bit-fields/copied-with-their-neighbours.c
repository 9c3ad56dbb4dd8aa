// A structure of bit-fields is copied by units: both are there, or none.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct pair { unsigned left : 4; unsigned right : 4; } to, from = {3, 5};

void *work(void *argument) {
    to = from;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    struct pair seen = to;
    assert((seen.left == 0 && seen.right == 0) || (seen.left == 3 && seen.right == 5));
    pthread_join(thread, 0);
}
