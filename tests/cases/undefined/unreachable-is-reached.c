//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Atomic int state;

void *work(void *unused) {
    state = 2;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    switch (state) {
    case 0:
        break;
    default:
        __builtin_unreachable(); //~ UNDEFINED memory-safety
    }
    pthread_join(a, 0);
    assert(state == 2);
}
