//@ property: assertion, deadlock
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

int x;

void *work(void *unused) {
    if (x == 1)
        abort();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    x = 1;
    pthread_join(a, 0);
}
