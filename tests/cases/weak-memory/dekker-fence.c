// Dekker's algorithm with fences behind the wishes and release stores at the end.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

void *work(void *number) {
    long me = (long)number, other = 1 - me;
    wants[me] = 1;
    __sync_synchronize();
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
            __sync_synchronize();
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    __atomic_store_n(&turn, other, __ATOMIC_RELEASE);
    __atomic_store_n(&wants[me], 0, __ATOMIC_RELEASE);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
