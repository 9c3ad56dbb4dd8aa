//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

void *work(void *number) {
    long me = (long)number;
    wants[me] = 1;
    while (wants[1 - me]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1 - me;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
