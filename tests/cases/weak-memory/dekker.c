// Dekker's algorithm: both may look before either wish is visible.
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
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    inside++;
    assert(inside == 1); //~ BUG assertion
    inside--;
    turn = other;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
