// To destroy a lock is to write it: who copies it at the same time races.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_spinlock_t lock, copy;

void *look(void *unused) {
    copy = lock; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, look, 0);
    pthread_spin_destroy(&lock); //~ BUG data-race
    pthread_join(a, 0);
}
