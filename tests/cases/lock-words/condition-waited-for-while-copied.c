// To wait for a condition variable is to write it: who copies it at the same time races.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t news = PTHREAD_COND_INITIALIZER, copy;
int done;

void *look(void *unused) {
    memcpy(&copy, &news, sizeof copy); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    pthread_mutex_lock(&lock);
    if (!done)
        pthread_cond_wait(&news, &lock); //~ BUG data-race
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
