// A variable that is null makes the distance an address, in whatever object the pointer is.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;
char *none, *here = (char *)&x;

void *work(void *unused)
{
    int *again = (int *)(here - none);
    *again = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(x == 0); //~ BUG assertion
}
