//@ property: assertion, memory-safety
//@ verdict: safe
// `sigsetjmp` keeps which signals are blocked, if it is asked to.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;

static void handle(int number) { siglongjmp(back, number); }

int main(void) {
    sigset_t blocked;
    signal(SIGUSR1, handle);
    int result = sigsetjmp(back, 1);
    if (result == 0)
        raise(SIGUSR1);
    assert(result == SIGUSR1);
    sigprocmask(SIG_BLOCK, 0, &blocked);
    assert(!sigismember(&blocked, SIGUSR1));
    return 0;
}
