//@ property: assertion
//@ verdict: bug
/* A function that gives the handle of its thread is called as one that gives a number. */
#include <assert.h>
#include <pthread.h>

static unsigned long first, second;

static pthread_t own(void) { return pthread_self(); }

static unsigned long (*give)(void) = own;

static void *one(void *unused) {
    first = give();
    return unused;
}

static void *other(void *unused) {
    second = give();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    assert(first != second); //~ BUG assertion
    return 0;
}
