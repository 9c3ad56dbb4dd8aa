//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&a, &detached, work, 0);
    pthread_detach(a); //~ BUG lock-misuse thread=t0
}
