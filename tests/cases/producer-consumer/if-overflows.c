// One place, and `if` around the wait: a producer that wakes up without reason writes out of bounds.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int cells[1], count;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    if (count == 1)
        pthread_cond_wait(&not_full, &lock);
    cells[count++] = 1; //~ BUG memory-safety
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_mutex_lock(&lock);
    if (count == 1) {
        count--;
        pthread_cond_broadcast(&not_full);
    }
    pthread_mutex_unlock(&lock);
    pthread_exit(0);
}
