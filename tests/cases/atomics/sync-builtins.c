//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int x, y, sum;

void *work(void *unused) {
    int mine = __sync_fetch_and_add(&x, 1);
    __sync_add_and_fetch(&sum, mine);
    if (__sync_bool_compare_and_swap(&y, 0, 1))
        __sync_add_and_fetch(&sum, 10);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 2 && y == 1 && sum == 11);
    assert(__sync_val_compare_and_swap(&y, 1, 5) == 1 && y == 5);
}
