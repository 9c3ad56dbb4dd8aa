// Peterson's algorithm with a fence before the look and a release store at the end. The turn may still overtake the wish: then
// each waits for a wish that it does not see, or for a turn that was given away.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

void *work(void *number) {
    long me = (long)number, other = 1 - me;
    wants[me] = 1;
    turn = other;
    __sync_synchronize();
    while (wants[other] && turn == other)
        ;
    inside++;
    assert(inside == 1); //~ BUG assertion
    inside--;
    __atomic_store_n(&wants[me], 0, __ATOMIC_RELEASE);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
