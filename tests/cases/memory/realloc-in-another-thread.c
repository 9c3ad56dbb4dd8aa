// Another thread moves the block while main still writes through the old pointer.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int *block;

void *grow(void *unused) {
    block = realloc(block, 2 * sizeof(int));
    return unused;
}

int main(void) {
    pthread_t a;
    block = malloc(sizeof(int));
    if (!block)
        return 0;
    int *old = block;
    pthread_create(&a, 0, grow, 0);
    *old = 1; //~ BUG memory-safety thread=t0
    pthread_join(a, 0);
}
