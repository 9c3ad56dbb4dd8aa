// R: the second thread has the last word on y and still does not see x.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: bug
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
