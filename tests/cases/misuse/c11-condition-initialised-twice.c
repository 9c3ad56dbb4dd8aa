//@ property: lock-misuse
//@ verdict: bug
#include <threads.h>

cnd_t changed;

int main(void) {
    cnd_init(&changed);
    cnd_init(&changed); //~ BUG lock-misuse thread=t0
}
