// Both threads see the pointer before either clears it.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

char *buffer;

void *release(void *unused) {
    if (buffer) {
        free(buffer); //~ BUG memory-safety
        buffer = 0;
    }
    return unused;
}

int main(void) {
    pthread_t a;
    buffer = malloc(4);
    pthread_create(&a, 0, release, 0);
    release(0);
    pthread_join(a, 0);
}
