//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls;

void make(void) {
    calls++;
    pthread_testcancel();
}

void *work(void *unused) {
    pthread_cancel(pthread_self());
    pthread_once(&once, make);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_once(&once, make);
    pthread_once(&once, make);
    assert(calls == 2);
}
