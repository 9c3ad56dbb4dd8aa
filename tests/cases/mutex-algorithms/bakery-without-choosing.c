// Without the announcement a slow chooser can get in with the same ticket.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int ticket[2], inside;

void *work(void *number) {
    long me = (long)number, other = 1 - me;
    ticket[me] = ticket[other] + 1;
    while (ticket[other] != 0 && (ticket[other] < ticket[me] || (ticket[other] == ticket[me] && other < me)))
        ;
    inside++;
    assert(inside == 1); //~ BUG assertion
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
