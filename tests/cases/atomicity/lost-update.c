// Main and the child each load and store x: 2 steps against 2 steps, and the join comes last.
// C(4,2) = 6 executions; the assertion fails in the 4 where each load comes before the other's store.
//@ property: assertion
//@ verdict: bug
//@ executions: 6
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *unused) {
    x++;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    x++;
    pthread_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
