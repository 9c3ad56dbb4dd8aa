//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

struct guarded {
    pthread_cond_t changed;
};

int main(void) {
    struct guarded first, second;
    pthread_cond_init(&first.changed, 0);
    second = first;
    pthread_cond_signal(&second.changed); //~ BUG lock-misuse
}
