// What has ended may still be joined, or detached, once.
//@ property: lock-misuse
//@ verdict: safe
#include <threads.h>

int work(void *unused) { return unused != 0; }

int main(void) {
    thrd_t a, b;
    thrd_create(&a, work, 0);
    thrd_create(&b, work, 0);
    thrd_detach(a);
    thrd_join(b, 0);
}
