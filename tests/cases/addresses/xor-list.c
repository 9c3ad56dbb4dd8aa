// A list whose links are the exclusive or of both neighbours.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <stdint.h>

struct node { uintptr_t link; int value; } a, b, c;

int walk(struct node *at) {
    struct node *before = 0;
    int sum = 0;
    while (at) {
        sum = 10 * sum + at->value;
        struct node *next = (struct node *)(at->link ^ (uintptr_t)before);
        before = at;
        at = next;
    }
    return sum;
}

int main(void) {
    a.value = 1, b.value = 2, c.value = 3;
    a.link = (uintptr_t)&b;
    b.link = (uintptr_t)&a ^ (uintptr_t)&c;
    c.link = (uintptr_t)&b;
    assert(walk(&a) == 123 && walk(&c) == 321);
}
