//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

void *work(void *unused) {
    pthread_join(pthread_self(), 0); //~ BUG lock-misuse thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
