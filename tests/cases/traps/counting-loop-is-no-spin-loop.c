// The loop counts its rounds: taking it again leaves something behind.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *work(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    int rounds = 0;
    pthread_create(&a, 0, work, 0);
    while (flag != 1 && rounds < 3)
        rounds++;
    assert(rounds < 2); //~ BUG assertion thread=t0
}
