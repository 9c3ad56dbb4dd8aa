// Look first, announce later: both get in.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int wants[2], inside;

void *work(void *number) {
    long me = (long)number;
    while (wants[1 - me])
        ;
    wants[me] = 1;
    inside++;
    assert(inside == 1); //~ BUG assertion
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
