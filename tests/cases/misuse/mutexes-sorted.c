//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutexes[2];

static int swaps(const void *first, const void *second) {
    return 1;
}

int main(void) {
    pthread_mutex_init(&mutexes[0], 0);
    pthread_mutex_init(&mutexes[1], 0);
    qsort(mutexes, 2, sizeof mutexes[0], swaps);
    pthread_mutex_lock(&mutexes[0]); //~ BUG lock-misuse
    pthread_mutex_unlock(&mutexes[0]);
}
