// From a member to its structure with the distance to a member of what is at null.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct link { struct link *next; };
struct item { int key; struct link link; int value; };
#define ITEM(at) ((struct item *)((char *)(at) - (char *)&((struct item *)0)->link))

struct item items[2] = { { 1, { 0 }, 0 }, { 2, { 0 }, 0 } };
struct link *first = &items[1].link;

void *work(void *unused)
{
    ITEM(first)->value += ITEM(first)->key;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(items[1].value == 2);
}
