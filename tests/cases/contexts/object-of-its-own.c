//@ property: assertion
//@ verdict: bug
//@ contexts: 0
// What the thread does with an object that nobody else knows yet belongs to the step that starts it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *known;

static void *make(void *argument) {
    int *own = malloc(sizeof *own);
    *own = 7;
    assert(*own != 7); //~ BUG assertion thread=t1
    known = own;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, make, 0);
    pthread_join(thread, 0);
    return known ? *known : 0;
}
