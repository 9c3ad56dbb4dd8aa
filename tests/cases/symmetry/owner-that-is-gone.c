//@ property: deadlock
//@ verdict: bug
// One of them keeps the lock: which one does not matter.
#include <pthread.h>

_Atomic int tickets;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m); //~ BUG deadlock
    if (tickets++ != 1)
        pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0); //~ BUG deadlock
}
