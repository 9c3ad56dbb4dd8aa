// A signal that would end the process does nothing to a thread that has ended and was not joined.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <signal.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_kill(a, SIGTERM);
    assert(0); //~ BUG assertion
}
