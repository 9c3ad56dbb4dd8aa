// Initialised, destroyed, initialised; in memory that holds anything; and the mutex of a copied object.
//@ property: lock-misuse, deadlock
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t lock; int balance; } first, second;

void *work(void *given) {
    struct account *account = given;
    pthread_mutex_lock(&account->lock);
    account->balance++;
    pthread_mutex_unlock(&account->lock);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_mutex_init(&first.lock, 0);
    second = first;
    pthread_mutex_init(&second.lock, 0);
    struct account *third = malloc(sizeof *third);
    pthread_mutex_init(&third->lock, 0);
    pthread_create(&a, 0, work, &second);
    work(&first);
    work(&second);
    pthread_mutex_destroy(&first.lock);
    pthread_mutex_init(&first.lock, 0);
    work(&first);
    pthread_join(a, 0);
    pthread_mutex_destroy(&third->lock);
    free(third);
}
