// Vyukov's ring: cells carry sequence numbers; producers and consumers reserve by compare-exchange.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct { atomic_uint sequence; int value; } cells[2];
atomic_uint enqueued, dequeued;

int put(int value) {
    unsigned place = atomic_load_explicit(&enqueued, memory_order_relaxed);
    if (atomic_load_explicit(&cells[place % 2].sequence, memory_order_acquire) != place)
        return 0;
    if (!atomic_compare_exchange_strong(&enqueued, &place, place + 1))
        return 0;
    cells[place % 2].value = value;
    atomic_store_explicit(&cells[place % 2].sequence, place + 1, memory_order_release);
    return 1;
}

int get(int *value) {
    unsigned place = atomic_load_explicit(&dequeued, memory_order_relaxed);
    if (atomic_load_explicit(&cells[place % 2].sequence, memory_order_acquire) != place + 1)
        return 0;
    if (!atomic_compare_exchange_strong(&dequeued, &place, place + 1))
        return 0;
    *value = cells[place % 2].value;
    atomic_store_explicit(&cells[place % 2].sequence, place + 2, memory_order_release);
    return 1;
}

int made[2];

void *producer(void *number) {
    made[(long)number] = put(10 + (int)(long)number);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int value, sum = 0, got = 0;
    atomic_store(&cells[1].sequence, 1);
    pthread_create(&a, 0, producer, (void *)0);
    pthread_create(&b, 0, producer, (void *)1);
    if (get(&value)) {
        sum += value;
        got++;
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (get(&value)) {
        sum += value;
        got++;
    }
    assert(got == made[0] + made[1] && got >= 1);
    assert(sum == 10 * made[0] + 11 * made[1]);
}
