//@ property: lock-misuse
//@ verdict: bug
#include <threads.h>

int main(void) {
    tss_t key;
    tss_create(&key, 0);
    tss_delete(key);
    tss_set(key, &key); //~ BUG lock-misuse thread=t0
}
