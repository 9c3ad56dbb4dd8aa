// The child makes 3 steps (three writes), main 2 before its join: C(5,2) = 10 executions.
//@ property: assertion
//@ verdict: safe
//@ executions: 10
#include <pthread.h>

int x, y;

void *work(void *unused) {
    x = 1;
    x = 2;
    x = 3;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    y = 1;
    y = 2;
    pthread_join(a, 0);
}
