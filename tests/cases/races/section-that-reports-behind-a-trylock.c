// The section reads and then calls `reach_error`. Where nobody looks for that, it ends the process, and the read counts; the
// attempt to take the lock is there to make races a matter of happens-before.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) {}
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *look(void *unused) {
    if (pthread_mutex_trylock(&m))
        return unused;
    __VERIFIER_atomic_begin();
    if (x >= 0) //~ BUG data-race thread=t1
        reach_error();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1; //~ BUG data-race thread=t0
}
