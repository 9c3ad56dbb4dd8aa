//@ property: assertion
//@ verdict: bug
// The threads run the same function; one of them is the one that main started first.
#include <assert.h>
#include <pthread.h>

pthread_t first;
_Atomic int known, x;

void *work(void *unused) {
    if (known && pthread_equal(first, pthread_self()))
        x++;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&first, 0, work, 0);
    known = 1;
    pthread_create(&other, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(other, 0);
    assert(x == 0); //~ BUG assertion
}
