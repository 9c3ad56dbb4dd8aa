//@ property: assertion, data-race, memory-safety
//@ verdict: safe
// What it changes nobody looks at any more.
#include <assert.h>
#include <pthread.h>

int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void show(int value);

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(shared == 2);
    show(shared);
    return 0;
}
