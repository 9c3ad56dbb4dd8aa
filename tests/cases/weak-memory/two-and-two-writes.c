// 2+2W: the last store to each place is the one that its thread made first.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int x, y;

void *first(void *unused) {
    x = 1;
    y = 2;
    return unused;
}

void *second(void *unused) {
    y = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2 || y == 2); //~ BUG assertion
}
