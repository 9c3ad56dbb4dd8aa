//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
// In another order than that in which they were created, which makes no difference.
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_join(t[2], 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(count == 3);
}
