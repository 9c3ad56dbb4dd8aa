//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
// Four threads that nobody can tell apart.
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
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(count == 4);
}
