//@ property: arithmetic
//@ verdict: bug
#include <pthread.h>

int divisor = 1, result;

void *work(void *unused) {
    divisor = 0;
    divisor = 2;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    result = 10 / divisor; //~ BUG arithmetic thread=t0
    pthread_join(a, 0);
}
