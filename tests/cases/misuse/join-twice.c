//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_t a;
void *work(void *unused) { return unused; }
void *waiter(void *unused) {
    pthread_join(a, 0); //~ BUG lock-misuse thread=t2
    return unused;
}

int main(void) {
    pthread_t b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_join(a, 0); //~ BUG lock-misuse thread=t0
    pthread_join(b, 0);
}
