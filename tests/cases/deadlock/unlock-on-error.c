//@ property: deadlock, lock-misuse
//@ verdict: safe
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int update(_Bool fails) {
    int result = 0;
    pthread_mutex_lock(&lock);
    if (fails) {
        result = -1;
        goto out;
    }
out:
    pthread_mutex_unlock(&lock);
    return result;
}

void *work(void *unused) {
    update(__VERIFIER_nondet_bool());
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    update(__VERIFIER_nondet_bool());
    pthread_join(a, 0);
}
