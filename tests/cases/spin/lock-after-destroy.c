//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_spinlock_t lock;

void *work(void *unused) {
    pthread_spin_lock(&lock); //~ BUG lock-misuse thread=t1
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_spin_destroy(&lock);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
