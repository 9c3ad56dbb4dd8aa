// The block reads x before it acquires from ready, and commits only when ready is set. So the two accesses to x are never co-enabled,
// but nothing orders them: what is acquired orders only what follows. A race by the definition.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int x;
atomic_int ready;

static void *look(void *unused) {
    __VERIFIER_atomic_begin();
    int seen = x; //~ BUG data-race thread=t1
    __VERIFIER_assume(ready == 1);
    __VERIFIER_atomic_end();
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1; //~ BUG data-race thread=t0
    ready = 1;
    pthread_join(a, 0);
}
