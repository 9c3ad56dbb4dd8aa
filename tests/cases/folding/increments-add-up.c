// Each of these writes adds one to something that was read, and none happens twice: however they interleave, no more can come together
// than there are writes.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x = 3, y = 6;

void *left(void *unused) {
    for (int round = 0; round < 2; round++)
        x = y + 1;
    return unused;
}
void *right(void *unused) {
    for (int round = 0; round < 2; round++)
        y = x + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    assert(x <= 10);
    assert(y <= 10);
}
