// The first member is written before the second is read: who has seen that can still change the second.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; } to, from = {1, 0};

void *work(void *argument) {
    to = from;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (to.a == 1)
        from.b = 1;
    pthread_join(thread, 0);
    assert(to.b == 0); //~ BUG assertion
}
