//@ property: leak, cleanup, memory-safety
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *_Atomic box;

void *work(void *unused) {
    free(atomic_exchange(&box, malloc(sizeof(int))));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(box);
}
