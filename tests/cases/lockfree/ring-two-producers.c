// The same ring with two producers: they write the same cell.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int cells[2];
atomic_uint head, tail;

int put(int value) {
    unsigned end = atomic_load(&tail);
    if (end - atomic_load(&head) == 2)
        return 0;
    cells[end % 2] = value;
    atomic_store(&tail, end + 1);
    return 1;
}

void *producer(void *unused) {
    put(1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, producer, 0);
    put(2);
    pthread_join(a, 0);
    assert(atomic_load(&tail) == 2); //~ BUG assertion thread=t0
}
