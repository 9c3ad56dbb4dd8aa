// From a member to its structure with a distance that is measured in another object.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct link { struct link *next; };
struct item { int key; struct link link; int value; };
struct item sample;
#define ITEM(at) ((struct item *)((char *)(at) - ((char *)&sample.link - (char *)&sample)))

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
