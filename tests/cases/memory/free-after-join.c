//@ property: memory-safety, data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

int *cell;

void *work(void *unused) {
    *cell = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    cell = malloc(sizeof *cell);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    free(cell);
}
