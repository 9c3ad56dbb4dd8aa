// A structure with a union in it is copied by units, between which others come.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct message { int kind; union { int number; float real; } value; } to, from = {1, {1}};

void *work(void *argument) {
    to = from;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int kind = to.kind;
    int number = to.value.number;
    assert(!(kind == 1 && number == 0)); //~ BUG assertion
    pthread_join(thread, 0);
}
