//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

void *work(void *unused) {
    data = 1;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    while (flag != 1)
        ;
    assert(data == 1);
    pthread_join(a, 0);
}
