// A thread writes its own copy on one path only; where the paths meet, the copy still is what that path made it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

_Thread_local int own = 1;
int flag;

void *work(void *unused) {
    if (flag)
        own = 2;
    assert(own == 1); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    flag = 1;
    own = 5;
    pthread_join(a, 0);
    assert(own == 5);
}
