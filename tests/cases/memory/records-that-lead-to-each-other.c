// A structure with an unnamed union in which a pointer leads back to it, and a function that calls itself.
//@ property: assertion
//@ verdict: safe
//@ bounds: unwind=3
#include <assert.h>
#include <pthread.h>

typedef struct node node;
struct node {
    int kind;
    union { int number; node *next; } value;
    struct other *other;
};
struct other { node *back; union { struct node *left; struct other *right; }; };

node last = {0, {4}, 0}, first;
struct other other;

static int total(const node *at) {
    return at->kind == 0 ? at->value.number : total(at->value.next) + at->other->left->value.number;
}

void *work(void *argument) {
    other.left = &last;
    first.kind = 1;
    first.value.next = &last;
    first.other = &other;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(total(&first) == 8);
}
