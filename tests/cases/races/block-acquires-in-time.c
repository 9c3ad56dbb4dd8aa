// The block acquires from ready before it reads x, and commits only when ready is set: where it commits, the write of x happens
// before the read. A block that does not commit has read nothing.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int x;
atomic_int ready;

static void *look(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ready == 1);
    int seen = x;
    __VERIFIER_atomic_end();
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1;
    ready = 1;
    pthread_join(a, 0);
}
