//@ property: uninitialised
//@ verdict: safe
//@ explore: random
// Copying what was never written is fine, and so is writing it over before it is used.
#include <pthread.h>
#include <string.h>

struct message {
    char kind;
    int number;
};

struct message slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    struct message own;
    own.kind = 'x';
    pthread_mutex_lock(&lock);
    slot = own;
    memcpy(&slot, &own, sizeof own);
    slot.number = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return slot.kind == 'x' && slot.number == 1;
}
