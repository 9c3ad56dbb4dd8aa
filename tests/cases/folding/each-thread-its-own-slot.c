// The argument of each thread is written once, before that thread is started.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int slots[3], seen[3];

void *work(void *argument) {
    int number = *(int *)argument;
    seen[number]++;
    assert(seen[number] == 1);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        slots[i] = i;
        pthread_create(&threads[i], 0, work, &slots[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(seen[0] + seen[1] + seen[2] == 3);
}
