// What the parent wrote before it started the thread is not what it writes afterwards.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *look(void *unused) {
    assert(x == 1); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    x = 1;
    pthread_create(&a, 0, look, 0);
    x = 3;
    pthread_join(a, 0);
}
