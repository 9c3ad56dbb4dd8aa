//@ property: data-race
//@ verdict: bug
// The same with a spin lock.
#include <pthread.h>
#include <semaphore.h>
pthread_spinlock_t l, saved;
int x;
void *other(void *argument) {
    pthread_spin_lock(&l); //~ BUG data-race
    x = 2; //~ BUG data-race
    pthread_spin_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_spin_init(&l, 0);
    saved = l;
    pthread_spin_lock(&l);
    pthread_create(&t, 0, other, 0);
    x = 1; //~ BUG data-race
    l = saved; //~ BUG data-race
    pthread_join(t, 0);
    return 0;
}
