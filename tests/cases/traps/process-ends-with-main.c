// Main does not wait; whatever the child does after main's end is not done, but it may come before.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x, y;

void *work(void *unused) {
    x = 1;
    y = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int later = y;
    if (later)
        assert(x == 1);
    return 0;
}
