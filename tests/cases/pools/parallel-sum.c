//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int input[4] = {1, 2, 3, 4};

struct slice { int from, to, sum; };

void *add(void *argument) {
    struct slice *slice = argument;
    slice->sum = 0;
    for (int i = slice->from; i < slice->to; i++)
        slice->sum += input[i];
    return 0;
}

int main(void) {
    pthread_t a;
    struct slice left = {0, 2, 0}, right = {2, 4, 0};
    pthread_create(&a, 0, add, &left);
    add(&right);
    pthread_join(a, 0);
    assert(left.sum + right.sum == 10);
}
