//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

void *work(void *cell) {
    *(int *)cell = 1; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a;
    int *cell = malloc(sizeof *cell);
    pthread_create(&a, 0, work, cell);
    *cell = 2; //~ BUG data-race
    pthread_join(a, 0);
    free(cell);
}
