// atomic_init of a number, a pointer and a structure before others use them; a relaxed store is none, whatever its order is called.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

struct pair { int first, second; };
atomic_int count;
int *_Atomic where;
_Atomic struct pair pair;

void *work(void *unused) {
    struct pair seen = atomic_load(&pair);
    atomic_fetch_add(&count, seen.second + *atomic_load(&where));
    return unused;
}

int main(void) {
    static int value = 3;
    pthread_t a;
    atomic_init(&count, 5);
    atomic_init(&where, &value);
    struct pair first = {1, 2};
    atomic_init(&pair, first);
    pthread_create(&a, 0, work, 0);
    atomic_store_explicit(&count, 1, 0);
    atomic_store_explicit(&count, 1, memory_order_relaxed);
    pthread_join(a, 0);
}
