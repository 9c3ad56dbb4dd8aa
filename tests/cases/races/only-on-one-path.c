// The race is there only when the child takes the lock first.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int handed_over, value;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int mine = !handed_over;
    pthread_mutex_unlock(&lock);
    if (mine)
        value = 1; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    handed_over = 1;
    pthread_mutex_unlock(&lock);
    value = 2; //~ BUG data-race
    pthread_join(a, 0);
}
