// Main waits until both workers have counted down.
//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t zero = PTHREAD_COND_INITIALIZER;
int left = 2, cells[2];

void *work(void *number) {
    cells[(long)number] = 1;
    pthread_mutex_lock(&lock);
    if (--left == 0)
        pthread_cond_signal(&zero);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, (void *)0);
    pthread_detach(t);
    pthread_create(&t, 0, work, (void *)1);
    pthread_detach(t);
    pthread_mutex_lock(&lock);
    while (left > 0)
        pthread_cond_wait(&zero, &lock);
    pthread_mutex_unlock(&lock);
    assert(cells[0] + cells[1] == 2);
}
