// The other thread writes one byte of what this one knows.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

unsigned x;

void *write(void *unused) {
    ((unsigned char *)&x)[1] = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    x = 0;
    pthread_create(&a, 0, write, 0);
    assert(x == 0); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
