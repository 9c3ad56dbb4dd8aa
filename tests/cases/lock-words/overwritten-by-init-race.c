//@ property: data-race
//@ verdict: bug
// The same by initialising it again.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *other(void *argument) {
    pthread_mutex_lock(&m); //~ BUG data-race
    x = 2; //~ BUG data-race
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, other, 0);
    x = 1; //~ BUG data-race
    pthread_mutex_init(&m, 0); //~ BUG data-race
    pthread_join(t, 0);
    return 0;
}
