// An atomic section that takes the lock inside cannot run while the other thread holds it: the accesses never meet.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, seen;

void *look(void *unused) {
    pthread_mutex_lock(&lock);
    seen = x;
    pthread_mutex_unlock(&lock);
    return unused;
}

void *change(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    x = x + 1;
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, change, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
