//@ property: lock-misuse
//@ verdict: bug
#include <threads.h>

int main(void) {
    mtx_t lock;
    mtx_init(&lock, mtx_plain);
    mtx_init(&lock, mtx_recursive); //~ BUG lock-misuse thread=t0
}
