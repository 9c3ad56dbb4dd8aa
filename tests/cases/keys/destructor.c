// The destructor of a value that is not null runs when the thread ends, before it can be joined.
//@ property: assertion, data-race, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int destroyed;

void destroy(void *value) {
    destroyed += *(int *)value;
    free(value);
}

void *work(void *unused) {
    int *value = malloc(sizeof *value);
    *value = 5;
    pthread_setspecific(key, value);
    return unused;
}

void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, idle, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(destroyed == 5);
}
