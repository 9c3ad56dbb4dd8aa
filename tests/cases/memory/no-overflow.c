//@ property: overflow
//@ verdict: safe
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x = INT_MAX - 1;
unsigned wraps = UINT_MAX;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (x < INT_MAX)
        x = x + 1;
    wraps++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
