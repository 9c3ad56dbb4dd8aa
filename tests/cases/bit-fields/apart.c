// A bit-field of no width puts what follows into another memory location.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct { unsigned left : 4; unsigned : 0; unsigned right : 4; } both;

void *work(void *argument) {
    both.left = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    both.right = 2;
    pthread_join(thread, 0);
    assert(both.left == 1 && both.right == 2);
}
