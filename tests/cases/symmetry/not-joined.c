//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
//@ verdict-tso: safe
// Nobody waits for them, and main is gone.
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    count++;
    assert(count <= 3);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, work, 0);
    pthread_exit(0);
}
