// The same slot for all threads: main writes the next number while a thread may still have to read its own.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int slot, seen[2];

void *work(void *argument) {
    int number = *(int *)argument;
    seen[number]++;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        slot = i;
        pthread_create(&threads[i], 0, work, &slot);
    }
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(seen[0] == 1); //~ BUG assertion thread=t0
}
