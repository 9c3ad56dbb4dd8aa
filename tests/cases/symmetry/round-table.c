//@ property: deadlock, data-race
//@ verdict: bug
// Three at a round table.
#include <pthread.h>

int meals[3];
pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *eats(void *seat) {
    long left = (long)seat, right = (left + 1) % 3;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]); //~ BUG deadlock
    meals[left]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, eats, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0); //~ BUG deadlock
}
