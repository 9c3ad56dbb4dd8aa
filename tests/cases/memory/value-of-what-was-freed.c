// Whoever gets at what was freed ends there, and so does who frees it again.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *pointer, freed, after;

void *frees(void *unused) {
    free(pointer);
    freed = 1;
    return unused;
}

void *again(void *unused) {
    if (freed) {
        free(pointer); //~ UNDEFINED memory-safety
        after = 1;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pointer = malloc(sizeof *pointer);
    *pointer = 3;
    pthread_create(&a, 0, frees, 0);
    pthread_create(&b, 0, again, 0);
    int before = freed, value = *pointer;
    assert(before == 0 || value != 3);
    assert(after == 0);
}
