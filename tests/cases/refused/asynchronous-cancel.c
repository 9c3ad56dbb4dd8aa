//@ property: assertion
//@ verdict: unknown
//@ reason: PTHREAD_CANCEL_ASYNCHRONOUS
#include <pthread.h>

void *work(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
}
