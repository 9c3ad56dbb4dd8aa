// The section takes the lock, and ends the process. It waits for the lock like any other, and is ordered
// behind whoever gave it back; the flag is there to make that a matter of happens-before.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
_Atomic int flag;
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
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    pthread_mutex_unlock(&m);
}
