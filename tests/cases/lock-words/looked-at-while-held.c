//@ property: data-race
//@ verdict: safe
// Who holds the lock may look at its bytes: nobody writes them meanwhile.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int seen;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    seen = *(int *)&lock;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    seen += *(int *)&lock;
}
