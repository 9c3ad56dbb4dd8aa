//@ property: memory-safety, assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
    *(int *)argument += 1;
    return 0;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        pthread_t a;
        int inner = round;
        pthread_create(&a, 0, work, &inner);
        pthread_join(a, 0);
        assert(inner == round + 1);
    }
}
