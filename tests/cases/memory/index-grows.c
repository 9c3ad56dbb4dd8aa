// The index is checked, then it grows.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

int cells[2], end = 1;

void *push(void *unused) {
    if (end < 2)
        cells[end++] = 5; //~ BUG memory-safety
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, push, 0);
    push(0);
    pthread_join(a, 0);
}
