//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
//@ verdict-tso: safe
// What is thread-local is not shared, and belongs to whoever has it.
#include <assert.h>
#include <pthread.h>

_Thread_local int own;
int *of_somebody;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    own++;
    pthread_mutex_lock(&m);
    of_somebody = &own;
    assert(*of_somebody == 1);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(own == 0);
}
