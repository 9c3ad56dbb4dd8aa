// Each thread holds a lock, but not the same one.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *work(void *unused) {
    pthread_mutex_lock(&first);
    counter++; //~ BUG data-race
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&second);
    counter++; //~ BUG data-race
    pthread_mutex_unlock(&second);
    pthread_join(a, 0);
}
