// Before the thread ends, main may find its variable and see what is in it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

_Thread_local int own;
int *_Atomic published;

void *work(void *unused) {
    (void)unused;
    own = 1;
    published = &own;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int *found = published;
    if (found)
        assert(*found != 1); //~ BUG assertion thread=t0 //~ UNDEFINED memory-safety
}
