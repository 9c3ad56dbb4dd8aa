// Only the producer moves the tail, so in each round it is a constant for it; the consumer sees all of its moves.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int ring[4], tail, head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *produce(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        ring[tail] = i + 1;
        tail++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, produce, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        if (head < tail) {
            assert(ring[head] == head + 1);
            head++;
        }
        pthread_mutex_unlock(&m);
    }
    pthread_join(a, 0);
    assert(tail == 3 && head <= 2);
}
