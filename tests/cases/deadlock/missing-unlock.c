// The child ends with the lock in its hands.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    x = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&lock); //~ BUG deadlock
    x = 2;
    pthread_mutex_unlock(&lock);
}
