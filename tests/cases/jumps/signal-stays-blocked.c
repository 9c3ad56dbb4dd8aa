//@ property: assertion
//@ verdict: bug
// `setjmp` keeps nothing of signals: the one that is handled stays blocked.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static jmp_buf back;

static void handle(int number) { longjmp(back, number); }

int main(void) {
    sigset_t blocked;
    signal(SIGUSR1, handle);
    if (setjmp(back) == 0)
        raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, 0, &blocked);
    assert(!sigismember(&blocked, SIGUSR1)); //~ BUG assertion
    return 0;
}
