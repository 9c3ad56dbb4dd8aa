//@ property: lock-misuse
//@ verdict: bug
#include <threads.h>

cnd_t changed;
mtx_t lock;

int main(void) {
    cnd_init(&changed);
    mtx_init(&lock, mtx_plain);
    cnd_wait(&changed, &lock); //~ BUG lock-misuse thread=t0
}
