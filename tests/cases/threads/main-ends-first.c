// pthread_exit in main ends only that thread: the other still runs, and its assertion fails.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    x++;
    assert(x == 0); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_exit(0);
}
