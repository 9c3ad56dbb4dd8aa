// Peterson's algorithm: both may look before either wish is visible.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

void *work(void *number) {
    long me = (long)number, other = 1 - me;
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other)
        ;
    inside++;
    assert(inside == 1); //~ BUG assertion
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
