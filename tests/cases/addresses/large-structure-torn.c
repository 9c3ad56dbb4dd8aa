// A structure of many members is copied by units in a loop.
//@ property: assertion
//@ verdict: bug
//@ bounds: unwind=40
#include <assert.h>
#include <pthread.h>

struct many { int each[34]; } to, from;

void *work(void *argument) {
    to = from;
    return argument;
}

int main(void) {
    from.each[0] = from.each[33] = 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int last = to.each[33];
    int first = to.each[0];
    assert(first == last); //~ BUG assertion
    pthread_join(thread, 0);
}
