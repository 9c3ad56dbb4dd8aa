//@ property: memory-safety, leak
//@ verdict: bug
// Each puts its own in the place of what is there, and frees that; the third still uses it.
#include <pthread.h>
#include <stdlib.h>

int *_Atomic latest;

void *work(void *unused) {
    int *mine = malloc(sizeof *mine); //~ BUG leak
    int *old = __atomic_exchange_n((int **)&latest, mine, __ATOMIC_SEQ_CST);
    if (old)
        free(old);
    *mine = 1; //~ BUG memory-safety
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    latest = 0;
}
