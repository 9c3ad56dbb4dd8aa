// It cannot be assigned to, but it can be copied.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct named { const int name; int value; } shared = {1, 2};
struct named *pointer = &shared;

void *work(void *argument) {
    pointer->value = 3;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    struct named seen = *pointer;
    assert(seen.name == 1 && seen.value >= 2);
    pthread_join(thread, 0);
}
