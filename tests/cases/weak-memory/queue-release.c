// A queue of one producer and one consumer, whose end moves by a release store.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2 };
int items[SIZE], head, tail;

void *producer(void *unused) {
    for (int item = 1; item <= 2; item++) {
        items[tail % SIZE] = item;
        __atomic_store_n(&tail, tail + 1, __ATOMIC_RELEASE);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, producer, 0);
    for (int item = 1; item <= 2; item++) {
        while (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) == head)
            ;
        assert(items[head % SIZE] == item);
        head++;
    }
    pthread_join(a, 0);
}
