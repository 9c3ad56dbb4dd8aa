//@ property: assertion, data-race, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <threads.h>

mtx_t lock;
int x;

int work(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    x++;
    mtx_unlock(&lock);
    return 7;
}

int main(void) {
    thrd_t a;
    int result;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(thrd_create(&a, work, 0) == thrd_success);
    work(0);
    assert(thrd_join(a, &result) == thrd_success);
    assert(result == 7 && x == 2);
    mtx_destroy(&lock);
}
