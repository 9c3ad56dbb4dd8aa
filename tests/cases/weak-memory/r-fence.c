// R with a fence where store and load would change places; the two stores still may.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int x, y, sees;

void *first(void *unused) {
    x = 1;
    y = 1;
    return unused;
}

void *second(void *unused) {
    y = 2;
    __sync_synchronize();
    sees = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(y == 1 || sees == 1); //~ BUG assertion
}
