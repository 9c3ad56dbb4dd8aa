//@ property: deadlock
//@ verdict: bug
// Even and odd tickets take the locks in different orders.
#include <pthread.h>

_Atomic int tickets;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    int odd = tickets++ % 2;
    pthread_mutex_lock(odd ? &m : &n);
    pthread_mutex_lock(odd ? &n : &m); //~ BUG deadlock
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0); //~ BUG deadlock
}
