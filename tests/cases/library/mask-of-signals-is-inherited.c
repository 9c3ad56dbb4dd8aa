//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int got;
void note(int number) { got = number; }

void *raising(void *unused) {
    raise(SIGUSR1);
    assert(!got);
    return unused;
}

int main(void) {
    pthread_t a;
    sigset_t set;
    signal(SIGUSR1, note);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&a, 0, raising, 0);
    pthread_join(a, 0);
}
