//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <threads.h>

mtx_t lock;
cnd_t changed;
int ready;

int work(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    thrd_exit(3);
}

int main(void) {
    thrd_t a;
    int result;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&a, work, 0);
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(a, &result);
    assert(result == 3);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
}
