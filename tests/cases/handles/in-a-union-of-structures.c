//@ property: assertion
//@ verdict: bug
/* The handle of a thread that was joined may come again, also where it lies in a structure that shares its place with a number. */
#include <assert.h>
#include <pthread.h>

union task {
    struct {
        pthread_t thread;
    } running;
    unsigned long number;
};

static void *work(void *unused) { return unused; }

int main(void) {
    union task first, second;
    pthread_create(&first.running.thread, 0, work, 0);
    pthread_join(first.running.thread, 0);
    pthread_create(&second.running.thread, 0, work, 0);
    pthread_join(second.running.thread, 0);
    assert(first.number != second.number); //~ BUG assertion
    return 0;
}
