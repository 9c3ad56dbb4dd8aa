//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_spinlock_t lock;

void *work(void *unused) {
    pthread_spin_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_spin_init(&lock, 0); //~ BUG lock-misuse
}
