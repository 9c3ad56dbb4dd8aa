// The balance is checked in one critical section and used in another.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    int enough = balance >= 10;
    pthread_mutex_unlock(&lock);
    if (enough) {
        pthread_mutex_lock(&lock);
        balance -= 10;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, withdraw, 0);
    withdraw(0);
    pthread_join(a, 0);
    assert(balance >= 0); //~ BUG assertion thread=t0
}
