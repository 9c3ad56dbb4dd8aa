//@ property: memory-safety
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

char *buffer;

void *release(void *unused) {
    free(__atomic_exchange_n(&buffer, 0, __ATOMIC_ACQ_REL));
    return unused;
}

int main(void) {
    pthread_t a;
    buffer = malloc(4);
    pthread_create(&a, 0, release, 0);
    release(0);
    pthread_join(a, 0);
}
