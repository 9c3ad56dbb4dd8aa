// Memory that is copied holds what it held, be it a pointer or a number.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct message { long kind; int *data; long number; };
struct message box, copy;
int payload = 7;

void *work(void *unused)
{
    struct message mine = { 1, &payload, 9 };
    memcpy(&box, &mine, sizeof box);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    memmove(&copy, &box, sizeof copy);
    copy.kind += copy.number;
    assert(*copy.data == 7 && copy.kind == 10);
}
