// S: the store to x that came before the flag is the last one all the same.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int x, y, sees;

void *first(void *unused) {
    x = 2;
    y = 1;
    return unused;
}

void *second(void *unused) {
    sees = y;
    x = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sees == 0 || x == 1); //~ BUG assertion
}
