//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
//@ verdict-pso: safe
// Each writes its own cell, which main reads when it has joined that one.
#include <assert.h>
#include <pthread.h>

int cells[3];

void *work(void *cell) {
    *(int *)cell += 1;
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, &cells[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], 0);
        assert(cells[i] == 1);
    }
}
