// A pointer that was copied byte by byte points where it did.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

int x, y;
int *from = &x, *to;

void copy(void *target, const void *source, unsigned size) { memcpy(target, source, size); }

void *work(void *argument) {
    copy(&to, &from, sizeof from);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    *to = 3;
    assert(to == &x && to != &y && x == 3);
}
