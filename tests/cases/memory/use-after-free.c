//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int *cell;

void *work(void *unused) {
    *cell = 1; //~ BUG memory-safety thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    cell = malloc(sizeof *cell);
    pthread_create(&a, 0, work, 0);
    free(cell);
    pthread_join(a, 0);
}
