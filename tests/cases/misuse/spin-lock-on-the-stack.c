//@ property: lock-misuse
//@ verdict: safe
// What the stack held before is no lock in use.
#include <pthread.h>

int main(void)
{
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_spin_destroy(&lock);
    return 0;
}
