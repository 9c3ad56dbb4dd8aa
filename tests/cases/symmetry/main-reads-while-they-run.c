//@ property: data-race
//@ verdict: bug
// The threads are ordered by the lock, main is not.
#include <pthread.h>

int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    count++; //~ BUG data-race
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, 0, work, 0);
        pthread_detach(t);
    }
    return count; //~ BUG data-race
}
