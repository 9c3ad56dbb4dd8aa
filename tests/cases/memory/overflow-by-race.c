// The guard and the sum are not one step.
//@ property: overflow
//@ verdict: bug
#include <limits.h>
#include <pthread.h>

int x = INT_MAX - 1;

void *work(void *unused) {
    if (x < INT_MAX)
        x = x + 1; //~ BUG overflow
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
