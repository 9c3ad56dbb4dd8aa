//@ property: deadlock
//@ verdict: bug
#include <threads.h>

mtx_t lock;
cnd_t changed;

int work(void *unused) {
    (void)unused;
    cnd_signal(&changed);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&a, work, 0);
    mtx_lock(&lock);
    cnd_wait(&changed, &lock); //~ BUG deadlock thread=t0
    mtx_unlock(&lock);
    thrd_join(a, 0);
}
