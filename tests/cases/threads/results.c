//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void *returns(void *argument) { return (char *)argument + 1; }
void *exits(void *argument) { pthread_exit((char *)argument + 2); }

int main(void) {
    pthread_t a, b;
    void *x, *y;
    char base[3];
    pthread_create(&a, 0, returns, base);
    pthread_create(&b, 0, exits, base);
    pthread_join(b, &y);
    pthread_join(a, &x);
    assert(x == base + 1 && y == base + 2);
}
