// `x = x + 1` is a load and a store, atomic each, but not together.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

atomic_int x;

int work(void *unused) {
    (void)unused;
    x = x + 1;
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    work(0);
    thrd_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
