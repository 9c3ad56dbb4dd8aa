// A pointer that was copied byte by byte is the pointer, also for a compare-exchange.
//@ property: assertion,memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

int cells[2] = {3, 4};
_Atomic(int *) head;

void *move(void *unused) {
    int *seen = atomic_load(&head), *copy;
    memcpy(&copy, &seen, sizeof copy);
    atomic_compare_exchange_strong(&head, &copy, &cells[1]);
    return unused;
}

int main(void) {
    pthread_t a;
    atomic_store(&head, &cells[0]);
    pthread_create(&a, 0, move, 0);
    int *seen = atomic_load(&head);
    assert(*seen == 3 || *seen == 4);
    pthread_join(a, 0);
    assert(*atomic_load(&head) == 4);
}
