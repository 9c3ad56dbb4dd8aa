// What was written before the block was moved by another thread is still there.
//@ property: assertion,memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *block;

void *grow(void *unused) {
    int *larger = realloc(block, 2 * sizeof(int));
    if (larger)
        block = larger;
    return unused;
}

int main(void) {
    pthread_t a;
    block = malloc(sizeof(int));
    if (!block)
        return 0;
    *block = 7;
    pthread_create(&a, 0, grow, 0);
    pthread_join(a, 0);
    assert(*block == 7);
    free(block);
}
