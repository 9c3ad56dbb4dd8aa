//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>
#include <signal.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&a, &attributes, work, 0);
    pthread_kill(a, 0); //~ BUG lock-misuse
}
