// There is no static initialiser for spin locks: zero means nothing.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_spinlock_t lock;

int main(void) {
    pthread_spin_lock(&lock); //~ BUG lock-misuse
    pthread_spin_unlock(&lock);
}
