// Both go on looking for ever; nobody is blocked.
//@ property: deadlock
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *work(void *unused) {
    while (!flag)
        ;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
