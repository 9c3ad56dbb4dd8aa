//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    if (balance >= 10)
        balance -= 10;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, withdraw, 0);
    withdraw(0);
    pthread_join(a, 0);
    assert(balance == 0);
}
