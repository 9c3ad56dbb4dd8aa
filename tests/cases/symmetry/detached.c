//@ property: lock-misuse
//@ verdict: bug
// Each detaches itself; main joins one of them.
#include <pthread.h>

_Atomic int tickets;

void *work(void *unused) {
    if (tickets++ == 1)
        pthread_detach(pthread_self()); //~ BUG lock-misuse
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_join(t[1], 0); //~ BUG lock-misuse
    pthread_exit(0);
}
