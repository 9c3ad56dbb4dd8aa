// The same by one thread after the other.
//@ property: data-race, assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct link { struct link *next; };
struct element { int value; struct link link; };
struct element first, second;
struct link *head;

void *work(void *argument) {
    for (struct link *at = head; at; at = at->next) {
        struct element *found = (struct element *)((char *)at - offsetof(struct element, link));
        found->value++;
    }
    return 0;
}

int main(void) {
    pthread_t a;
    second.link.next = &first.link;
    head = &second.link;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    work(0);
    assert(first.value == 2 && second.value == 2);
}
