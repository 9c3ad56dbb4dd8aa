//@ property: assertion
//@ verdict: unknown
//@ reason: pthread_cancel
#include <pthread.h>

void *work(void *unused) {
    for (;;)
        pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
}
