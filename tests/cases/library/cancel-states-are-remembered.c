//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int main(void) {
    int old = -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
    assert(pthread_setcancelstate(7, &old) != 0);
}
