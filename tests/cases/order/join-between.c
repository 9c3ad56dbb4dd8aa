// The first thread has ended before the second one begins: one execution.
//@ property: assertion, data-race
//@ verdict: safe
//@ executions: 1
#include <assert.h>
#include <pthread.h>

int first_ran;

void *first(void *unused) {
    first_ran = 1;
    return unused;
}

void *second(void *unused) {
    assert(first_ran);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(b, 0);
}
