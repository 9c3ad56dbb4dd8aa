// Behind the array is nothing: the first thread ends there, and nobody can be told that it went on.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int array[2] = {1, 2}, behind = 2, gone;

void *reads(void *unused) {
    array[1] = array[behind]; //~ UNDEFINED memory-safety
    gone = 1;
    return unused;
}

void *writes(void *unused) {
    array[0] = 7;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reads, 0);
    pthread_create(&b, 0, writes, 0);
    assert(array[1] == 2);
    assert(gone == 0);
}
