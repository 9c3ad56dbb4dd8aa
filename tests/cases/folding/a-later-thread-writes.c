// Main knows what it wrote until it starts the thread that overwrites it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;

void *first(void *unused) { return unused; }
void *second(void *unused) {
    x = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    x = 1;
    assert(x == 1);
    pthread_create(&b, 0, second, 0);
    assert(x == 1); //~ BUG assertion thread=t0
    pthread_join(a, 0);
    pthread_join(b, 0);
}
