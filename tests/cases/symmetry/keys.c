//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
// What each keeps under a key is its own; the destructors run one after the other.
#include <assert.h>
#include <stdlib.h>
#include <pthread.h>

pthread_key_t key;
int ended;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void destroy(void *mine) {
    pthread_mutex_lock(&m);
    ended += *(int *)mine;
    pthread_mutex_unlock(&m);
    free(mine);
}

void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, mine);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(ended == 2);
}
