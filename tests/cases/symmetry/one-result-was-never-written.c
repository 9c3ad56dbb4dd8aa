//@ property: uninitialised
//@ verdict: bug
// Only the result of one is looked at, and only whoever comes second leaves it without a value.
#include <pthread.h>

_Atomic int tickets;

void *work(void *unused) {
    long result;
    if (tickets++ == 0)
        result = 0;
    return (void *)result;
}

int main(void) {
    pthread_t t[2];
    void *first, *second;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_join(t[0], &first);
    pthread_join(t[1], &second);
    return second ? 1 : 0; //~ BUG uninitialised
}
