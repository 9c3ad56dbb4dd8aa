//@ property: assertion, data-race, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void *work(void *unused) {
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    pthread_spin_destroy(&lock);
}
