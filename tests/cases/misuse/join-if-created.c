// The same on one of two paths only.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
static pthread_t maybe;
void *work(void *unused) { return unused; }

int main(void) {
    if (__VERIFIER_nondet_bool())
        pthread_create(&maybe, 0, work, 0);
    pthread_join(maybe, 0); //~ BUG lock-misuse thread=t0
}
