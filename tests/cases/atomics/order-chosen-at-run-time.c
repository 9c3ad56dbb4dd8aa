//@ property: data-race
//@ verdict: bug
//@ finds: random
// Which order it is, an input says; one of them does not acquire.
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

static atomic_int flag;
static int data;

static void *writer(void *argument) {
    data = 1; //~ BUG data-race
    atomic_store(&flag, 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    int expected = 0;
    memory_order failure = __VERIFIER_nondet_bool() ? memory_order_acquire : memory_order_relaxed;
    pthread_create(&thread, 0, writer, 0);
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 5, memory_order_acq_rel, failure))
        data = 2; //~ BUG data-race
    pthread_join(thread, 0);
}
