// Bit-fields that lie side by side are one memory location: who writes one reads and writes both, and may lose what another thread
// has written in between.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct { unsigned left : 4; unsigned right : 4; } both;

void *work(void *argument) {
    both.left = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    both.right = 2;
    pthread_join(thread, 0);
    assert(both.left == 1 && both.right == 2); //~ BUG assertion
}
