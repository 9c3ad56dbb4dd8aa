//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int done;

void *work(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sleep(1);
    pthread_testcancel();
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    void *result = 0;
    pthread_create(&a, 0, work, &a);
    while (!done)
        ;
    pthread_cancel(a);
    pthread_join(a, &result);
    assert(result == &a);
}
