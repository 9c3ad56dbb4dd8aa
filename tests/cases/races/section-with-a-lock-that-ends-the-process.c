// The section takes the lock, and ends the process. It waits for the lock like any other.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *give_up(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    abort();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, give_up, 0);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}
