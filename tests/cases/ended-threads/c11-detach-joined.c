//@ property: lock-misuse
//@ verdict: bug
#include <threads.h>

int work(void *unused) { return unused != 0; }

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    thrd_join(a, 0);
    thrd_detach(a); //~ BUG lock-misuse
}
