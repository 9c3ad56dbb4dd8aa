// Memory that nobody wrote holds something, and the same for all who look there, by whatever pointer.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned char *first, *second, *chosen;

void *choose(void *unused) {
    chosen = second;
    return unused;
}

int main(void) {
    pthread_t a;
    first = malloc(1);
    second = malloc(1);
    if (!first || !second)
        return 0;
    chosen = first;
    pthread_create(&a, 0, choose, 0);
    unsigned char *seen = chosen;
    unsigned char value = *seen;
    if (seen == first)
        assert(value == *first);
    else
        assert(value == *second);
    pthread_join(a, 0);
}
