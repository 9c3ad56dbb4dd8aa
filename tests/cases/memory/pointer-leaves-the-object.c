// A pointer may go anywhere, and be seen there by others; a thread that looks where it leads ends.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int object, other, after;
int *pointer = &object;

void *moves(void *unused) {
    pointer += 2;
    return unused;
}

void *looks(void *unused) {
    if (pointer != &object) {
        other = *pointer; //~ UNDEFINED memory-safety
        after = 1;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, moves, 0);
    pthread_create(&b, 0, looks, 0);
    assert(pointer != &object + 2); //~ BUG assertion thread=t0
    assert(after == 0);
}
