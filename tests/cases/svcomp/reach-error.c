//@ property: assertion
//@ verdict: bug
#include <pthread.h>

void reach_error(void) {}
int x;

void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (x == 1)
        reach_error(); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
