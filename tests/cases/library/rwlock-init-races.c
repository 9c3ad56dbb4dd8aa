//@ property: data-race
//@ verdict: bug
// The object is all zeros before, so that using it is no mistake of another kind.
#include <pthread.h>

pthread_rwlock_t lock;

void *begin(void *unused) {
    pthread_rwlock_init(&lock, 0); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, begin, 0);
    pthread_rwlock_rdlock(&lock); //~ BUG data-race
    pthread_join(a, 0);
}
