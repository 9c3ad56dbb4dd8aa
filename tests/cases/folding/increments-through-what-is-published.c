// What was read before a thread is started is where its memory begins, and one more link in the chain of sums.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *add(void *unused) {
    x = x + 1;
    return unused;
}
void *carry(void *argument) {
    x = *(int *)argument + 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int seen;
    pthread_create(&a, 0, add, 0);
    seen = x + 1;
    pthread_create(&b, 0, carry, &seen);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x < 3); //~ BUG assertion thread=t0
}
