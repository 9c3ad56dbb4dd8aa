// Who prints before the other has the lock is not ordered by it.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

int x;

void *work(void *unused) {
    flockfile(stdout);
    x = 1; //~ BUG data-race
    funlockfile(stdout);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    printf("a");
    x = 2; //~ BUG data-race
    pthread_join(a, 0);
}
