// One path through the function forgets the lock.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int update(_Bool fails) {
    pthread_mutex_lock(&lock); //~ BUG deadlock
    if (fails)
        return -1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *work(void *unused) {
    update(0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    update(__VERIFIER_nondet_bool());
    pthread_join(a, 0); //~ BUG deadlock
}
