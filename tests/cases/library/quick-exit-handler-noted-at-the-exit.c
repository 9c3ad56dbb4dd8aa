// The same for quick_exit.
//@ property: memory-safety, data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

void first(void) {}
void second(void) {}

void *work(void *unused) {
    at_quick_exit(first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    at_quick_exit(second);
    quick_exit(0);
}
