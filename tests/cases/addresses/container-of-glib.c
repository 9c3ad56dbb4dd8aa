// From a member to its structure with a signed offset that is added, as in GLib.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct link { struct link *next; };
struct item { int key; struct link link; int value; };
#define MEMBER_P(struct_p, offset) ((void *)((unsigned char *)(struct_p) + (long)(offset)))
#define ITEM(at) ((struct item *)MEMBER_P(at, -(long)__builtin_offsetof(struct item, link)))

struct item items[2] = { { 1, { 0 }, 0 }, { 2, { &items[0].link }, 0 } };
struct link *first = &items[1].link;

void *work(void *unused)
{
    for (struct link *at = first; at; at = at->next)
        ITEM(at)->value += ITEM(at)->key;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(items[0].value == 1 && items[1].value == 2);
}
