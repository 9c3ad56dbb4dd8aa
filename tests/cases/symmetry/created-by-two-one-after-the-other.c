//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
// Each creator waits for its own, and main for the first creator.
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    x++;
    return unused;
}

void *creates(void *unused) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, creates, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, creates, 0);
    pthread_join(b, 0);
    assert(x == 4);
}
