// A normal mutex is locked by the thread that holds it.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void add(int amount) {
    pthread_mutex_lock(&lock); //~ BUG lock-misuse thread=t1
    x += amount;
    pthread_mutex_unlock(&lock);
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (x == 0)
        add(1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
