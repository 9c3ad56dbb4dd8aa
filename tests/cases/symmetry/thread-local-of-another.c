//@ property: memory-safety
//@ verdict: bug
// Whoever comes second writes what belongs to the first, which may be gone.
#include <pthread.h>

_Thread_local int own;
int *of_somebody;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    if (of_somebody)
        *of_somebody = 1; //~ BUG memory-safety
    of_somebody = &own;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
