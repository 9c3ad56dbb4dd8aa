//@ property: assertion
//@ verdict: safe
// A plain access to a number or pointer is one step, however large it is. That nothing orders it is the data race's to say.
#include <assert.h>
#include <pthread.h>

static long long number;

static void *writer(void *argument) {
    number = -1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    long long seen = number;
    assert(seen == 0 || seen == -1);
    pthread_join(thread, 0);
}
