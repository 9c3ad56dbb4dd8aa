//@ property: memory-safety, data-race, leak, cleanup
//@ verdict: safe
//@ verdict-tso: safe
// Their memory lies in different places, and belongs to whoever has it.
#include <pthread.h>
#include <stdlib.h>

int sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    pthread_mutex_lock(&m);
    sum += *mine;
    pthread_mutex_unlock(&m);
    free(mine);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
