// Right under sequential consistency, but with plain variables it is full of data races.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int wants[2], turn;

void *work(void *number) {
    long me = (long)number;
    wants[me] = 1; //~ BUG data-race
    turn = 1 - me; //~ BUG data-race
    while (wants[1 - me] && turn == 1 - me) //~ BUG data-race
        ;
    wants[me] = 0; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
