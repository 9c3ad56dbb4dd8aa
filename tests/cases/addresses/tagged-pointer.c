// A mark in a bit of a pointer that its alignment leaves free.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

_Bool __VERIFIER_nondet_bool(void);
struct node { struct node *next; int value; } x, y;
uintptr_t link;

void *work(void *argument) {
    link |= 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    struct node *node = __VERIFIER_nondet_bool() ? &x : &y;
    link = (uintptr_t)node;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(link & 1);
    struct node *found = (struct node *)(link & ~(uintptr_t)1);
    found->value = 5;
    assert(found == node && x.value + y.value == 5);
}
