//@ property: assertion
//@ verdict: safe
#include <pthread.h>

void reach_error(void) {}
int x;

void *work(void *unused) {
    x = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int first = x, second = x;
    if (first > second)
        reach_error();
    pthread_join(a, 0);
}
