//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int after;

void *work(void *unused) {
    printf("here\n");
    after = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    assert(after); //~ BUG assertion
}
