//@ property: lock-misuse, deadlock, memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t lock; int balance; };

void *work(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->lock);
    account->balance += 5;
    pthread_mutex_unlock(&account->lock);
    return 0;
}

int main(void) {
    pthread_t a;
    struct account *account = malloc(sizeof *account);
    account->balance = 0;
    pthread_mutex_init(&account->lock, 0);
    pthread_create(&a, 0, work, account);
    work(account);
    pthread_join(a, 0);
    assert(account->balance == 10);
    pthread_mutex_destroy(&account->lock);
    free(account);
}
