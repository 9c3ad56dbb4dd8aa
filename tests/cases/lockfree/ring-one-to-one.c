// One producer, one consumer, a ring of two cells.
//@ property: assertion, data-race, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int cells[2];
atomic_uint head, tail;

int put(int value) {
    unsigned end = atomic_load_explicit(&tail, memory_order_relaxed);
    if (end - atomic_load_explicit(&head, memory_order_acquire) == 2)
        return 0;
    cells[end % 2] = value;
    atomic_store_explicit(&tail, end + 1, memory_order_release);
    return 1;
}

int get(int *value) {
    unsigned start = atomic_load_explicit(&head, memory_order_relaxed);
    if (start == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    *value = cells[start % 2];
    atomic_store_explicit(&head, start + 1, memory_order_release);
    return 1;
}

void *producer(void *unused) {
    for (int i = 1; i <= 3; i++)
        if (!put(i))
            break;
    return unused;
}

int main(void) {
    pthread_t a;
    int value, expected = 1;
    pthread_create(&a, 0, producer, 0);
    for (int i = 0; i < 3; i++)
        if (get(&value)) {
            assert(value == expected);
            expected++;
        }
    pthread_join(a, 0);
}
