// The same without the name: not atomic.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void add(int amount) {
    int old = x;
    x = old + amount;
}

void *work(void *unused) {
    add(1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    add(2);
    pthread_join(a, 0);
    assert(x == 3); //~ BUG assertion thread=t0
}
