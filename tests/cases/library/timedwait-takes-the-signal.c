// Time may run out just when the signal comes, which then wakes nobody.
//@ property: deadlock
//@ verdict: bug
//@ finds: exhaustive
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting, go;

void *patient(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting++;
    while (!go)
        pthread_cond_wait(&changed, &mutex); //~ BUG deadlock
    pthread_mutex_unlock(&mutex);
    return unused;
}

void *impatient(void *unused) {
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&mutex);
    waiting++;
    int result = pthread_cond_timedwait(&changed, &mutex, &soon);
    if (result == 0)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, patient, 0);
    pthread_create(&b, 0, impatient, 0);
    pthread_mutex_lock(&mutex);
    go = 1;
    if (waiting == 2)
        pthread_cond_signal(&changed);
    else
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0); //~ BUG deadlock
    pthread_join(b, 0);
}
