// Under sequential consistency one of the two sees the other's store.
// Each side is a store to its flag and a load of the other's: 2 steps against 2, C(4,2) = 6 executions. The results are
// locals of main and of the child until the join.
//@ property: assertion
//@ verdict: safe
//@ executions: 6
#include <assert.h>
#include <pthread.h>

int x, y;

void *work(void *unused) {
    (void)unused;
    x = 1;
    long seen = y;
    return (void *)seen;
}

int main(void) {
    pthread_t a;
    void *other;
    pthread_create(&a, 0, work, 0);
    y = 1;
    int seen = x;
    pthread_join(a, &other);
    assert(seen == 1 || other == (void *)1);
}
