//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <signal.h>

int got, again;

void note(int number) {
    got = number;
    again++;
}

int main(void) {
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    assert(got == SIGUSR1 && again == 1);
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    raise(SIGUSR1);
    assert(again == 1);
    sigprocmask(SIG_SETMASK, &old, 0);
    assert(again == 2);
    assert(signal(SIGUSR1, SIG_IGN) == note);
    raise(SIGUSR1);
    assert(again == 2 && !sigismember(&old, SIGUSR1));
    signal(SIGUSR1, SIG_DFL);
    raise(SIGUSR1);
    assert(0); // the process has ended
}
