//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_spinlock_t first, second;

void *work(void *unused) {
    pthread_spin_lock(&first);
    pthread_spin_lock(&second); //~ BUG deadlock
    pthread_spin_unlock(&second);
    pthread_spin_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&first, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&second, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, work, 0);
    pthread_spin_lock(&second);
    pthread_spin_lock(&first); //~ BUG deadlock
    pthread_spin_unlock(&first);
    pthread_spin_unlock(&second);
    pthread_join(a, 0);
}
