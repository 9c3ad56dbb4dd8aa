// With sequentially consistent atomics there is no race, and what it protects is ordered.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int x;

void *work(void *number) {
    long me = (long)number;
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        ;
    x++;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
    assert(x == 2);
}
