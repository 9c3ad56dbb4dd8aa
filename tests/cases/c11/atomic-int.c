//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

atomic_int x;
_Atomic long y = 5;

int work(void *unused) {
    (void)unused;
    x++;
    y += 2;
    atomic_fetch_sub(&y, 1);
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    work(0);
    thrd_join(a, 0);
    assert(x == 2 && y == 7);
}
