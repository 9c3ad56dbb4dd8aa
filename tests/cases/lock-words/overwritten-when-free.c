//@ property: data-race
//@ verdict: safe
// A mutex that nobody holds may be overwritten before others know it.
#include <pthread.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *other(void *argument) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    memset(&m, 0, sizeof m);
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
