// The other thread moves the array away with realloc.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int *cells;

void *grow(void *unused) {
    cells = realloc(cells, 4 * sizeof *cells);
    return unused;
}

int main(void) {
    pthread_t a;
    cells = malloc(2 * sizeof *cells);
    pthread_create(&a, 0, grow, 0);
    cells[1] = 1; //~ BUG memory-safety thread=t0
    pthread_join(a, 0);
    free(cells);
}
