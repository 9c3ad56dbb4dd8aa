// That a lock is taken tells what its owner has done before, but orders nothing.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;

void *owner(void *unused) {
    data = 1; //~ BUG data-race
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, owner, 0);
    if (pthread_mutex_trylock(&lock))
        seen = data; //~ BUG data-race
    return seen;
}
