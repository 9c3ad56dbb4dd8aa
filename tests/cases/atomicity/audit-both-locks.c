//@ property: assertion, deadlock, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
int a = 5, b = 5;

void *transfer(void *unused) {
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_b);
    a -= 3;
    b += 3;
    pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, transfer, 0);
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_b);
    assert(a + b == 10);
    pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
    pthread_join(t, 0);
}
