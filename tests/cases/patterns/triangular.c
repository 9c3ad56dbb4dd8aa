// Each thread adds one to the other's variable: 6, 7, 8, 9, 10 is how far it can get.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int i = 3, j = 6;

void *first(void *unused) {
    for (int k = 0; k < 2; k++)
        i = j + 1;
    return unused;
}

void *second(void *unused) {
    for (int k = 0; k < 2; k++)
        j = i + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(i < 9 && j < 10); //~ BUG assertion thread=t0
}
