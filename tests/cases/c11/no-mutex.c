//@ property: assertion, data-race
//@ verdict: bug
#include <assert.h>
#include <threads.h>

int x;

int work(void *unused) {
    (void)unused;
    x++; //~ BUG data-race
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    work(0);
    thrd_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
