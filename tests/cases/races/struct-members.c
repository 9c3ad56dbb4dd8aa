// Different members are different places.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct { char left, right; int sum; } shared;

void *work(void *unused) {
    shared.left = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    shared.right = 2;
    pthread_join(a, 0);
    shared.sum = shared.left + shared.right;
    assert(shared.sum == 3);
}
