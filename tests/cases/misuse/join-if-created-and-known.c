//@ property: lock-misuse, deadlock
//@ verdict: safe
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
static pthread_t maybe;
void *work(void *unused) { return unused; }

int main(void) {
    _Bool started = __VERIFIER_nondet_bool();
    if (started)
        pthread_create(&maybe, 0, work, 0);
    if (started)
        pthread_join(maybe, 0);
}
