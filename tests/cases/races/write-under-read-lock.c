//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int hits;

void *work(void *unused) {
    pthread_rwlock_rdlock(&lock);
    hits = 1; //~ BUG data-race
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_rwlock_rdlock(&lock);
    hits = 2; //~ BUG data-race
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
}
