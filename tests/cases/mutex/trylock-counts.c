// The child locks and unlocks (2 steps); main makes one attempt, and unlocks if it succeeded. The attempt comes
// before the lock: main must unlock before the child locks, 1 execution. Between lock and unlock: it fails, 1 execution.
// After the unlock: it succeeds, 1 execution. The join comes last in each. 3 in all.
//@ property: lock-misuse
//@ verdict: safe
//@ executions: 3
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
