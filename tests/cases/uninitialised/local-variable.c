//@ property: uninitialised
//@ verdict: bug
#include <pthread.h>

_Atomic int flag;
int seen;

void *work(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    int value;
    pthread_create(&a, 0, work, 0);
    if (flag)
        value = 3;
    int twice = value + value;
    pthread_join(a, 0);
    if (twice == 6) //~ BUG uninitialised thread=t0
        seen = 1;
    return 0;
}
