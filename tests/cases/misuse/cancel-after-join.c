//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    pthread_cancel(a); //~ BUG lock-misuse
}
