// An intrusive list: the element is found from its link by a negative offset. Two threads count in it without a lock.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stddef.h>

struct link { struct link *next; };
struct element { int value; struct link link; };
struct element first, second;
struct link *head;

void *work(void *argument) {
    for (struct link *at = head; at; at = at->next) {
        struct element *found = (struct element *)((char *)at - offsetof(struct element, link));
        found->value++; //~ BUG data-race
    }
    return 0;
}

int main(void) {
    pthread_t a;
    second.link.next = &first.link;
    head = &second.link;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
