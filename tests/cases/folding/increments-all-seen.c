// One order of all writes makes the largest number, and only the last read of all can see it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x = 3, y = 6;

void *left(void *unused) {
    x = y + 1;
    return unused;
}
void *right(void *unused) {
    y = x + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    assert(y < 8); //~ BUG assertion thread=t0
}
