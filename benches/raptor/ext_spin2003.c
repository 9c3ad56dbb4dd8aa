/* Three threads with a spin lock: who holds it sees no other value than its own; SV-COMP's spin2003, from its description. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int x = 1, m;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(m == 0);
    m = 1;
}

static void __VERIFIER_atomic_release(void) {
    __VERIFIER_assume(m == 1);
    m = 0;
}

static void *work(void *unused) {
    __VERIFIER_atomic_acquire();
    x = 0;
    x = 1;
    assert(x >= 1);
    __VERIFIER_atomic_release();
    return unused;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_create(&third, 0, work, 0);
    return 0;
}
