//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_lock(&lock); //~ BUG lock-misuse thread=t0
}
