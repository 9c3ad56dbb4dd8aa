// Two threads join the same one.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_t target;

void *work(void *unused) { return unused; }

void *join_it(void *unused) {
    pthread_join(target, 0); //~ BUG lock-misuse
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&target, 0, work, 0);
    pthread_create(&a, 0, join_it, 0);
    pthread_join(target, 0); //~ BUG lock-misuse
    pthread_join(a, 0);
}
