//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *work(void *unused) {
    pthread_cond_signal(&changed); //~ BUG lock-misuse thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cond_destroy(&changed);
    pthread_join(a, 0);
}
