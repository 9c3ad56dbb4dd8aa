// Between the spin loop's last look and the assertion the flag may change back.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *work(void *unused) {
    flag = 1;
    flag = 0;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    while (flag != 1)
        ;
    assert(flag == 1); //~ BUG assertion thread=t0
}
