// The distance to a member of what is at null is a number, and a pointer again; what comes behind is reached.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct link { struct link *next; };
struct item { int key; struct link link; int value; };
#define ITEM(at) ((struct item *)((char *)(at) - (char *)&((struct item *)0)->link))

struct item items[2] = { { 1, { 0 }, 0 }, { 2, { 0 }, 0 } };
void *at = &items[1].link;

void *work(void *unused)
{
    ITEM(at)->key++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int bit = ITEM(at)->key & 1;
    ((int *)at)[-bit] = 5;
    assert(items[1].key == 3); //~ BUG assertion
}
