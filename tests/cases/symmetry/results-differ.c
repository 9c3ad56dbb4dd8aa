//@ property: assertion
//@ verdict: bug
// What the first one returns need not be what the second one returns.
#include <assert.h>
#include <pthread.h>

_Atomic int tickets;

void *work(void *unused) { return (void *)(long)tickets++; }

int main(void) {
    pthread_t t[2];
    void *first, *second;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_join(t[0], &first);
    pthread_join(t[1], &second);
    assert((long)first + (long)second == 1);
    assert(first < second); //~ BUG assertion
}
