//@ property: lock-misuse
//@ verdict: bug
#include <threads.h>

mtx_t lock;

int work(void *unused) {
    mtx_unlock(&lock); //~ BUG lock-misuse thread=t1
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&lock, mtx_plain);
    mtx_lock(&lock);
    thrd_create(&a, work, 0);
    thrd_join(a, 0);
}
