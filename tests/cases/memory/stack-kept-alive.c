//@ property: memory-safety, data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
    *(int *)argument = 1;
    return 0;
}

int compute(void) {
    pthread_t a;
    int local = 0;
    pthread_create(&a, 0, work, &local);
    pthread_join(a, 0);
    return local;
}

int main(void) {
    assert(compute() == 1);
}
