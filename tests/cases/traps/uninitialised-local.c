// A local variable that was never set holds anything.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    int local;
    if (local == 1)
        x = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(x == 0); //~ BUG assertion thread=t0
}
