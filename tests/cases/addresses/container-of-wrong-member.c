// The element is found from the wrong member: it begins before the object.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <stddef.h>

struct element { long key; long value; };
struct element element;

void *work(void *argument) {
    struct element *found = (struct element *)((char *)argument - offsetof(struct element, value));
    found->key = 1; //~ BUG memory-safety
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, &element.key);
    pthread_join(a, 0);
}
