// Lamport's bakery for two.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int choosing[2], ticket[2], inside;

void *work(void *number) {
    long me = (long)number, other = 1 - me;
    choosing[me] = 1;
    ticket[me] = ticket[other] + 1;
    choosing[me] = 0;
    while (choosing[other])
        ;
    while (ticket[other] != 0 && (ticket[other] < ticket[me] || (ticket[other] == ticket[me] && other < me)))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    ticket[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
