//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter, snapshot;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    counter = 1; //~ BUG data-race
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    snapshot = counter; //~ BUG data-race
    pthread_join(a, 0);
}
