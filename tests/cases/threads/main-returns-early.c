// The process ends when main returns, but the thread may be faster.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    x = 1;
    assert(x == 0); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    return 0;
}
