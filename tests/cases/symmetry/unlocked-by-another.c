//@ property: lock-misuse
//@ verdict: bug
// Only one of them holds the lock that both give back.
#include <pthread.h>

_Atomic int tickets;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    if (tickets++ == 0)
        pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m); //~ BUG lock-misuse
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
