//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int x;

void *add(void *unused) {
    flockfile(stdout);
    flockfile(stdout);
    x++;
    funlockfile(stdout);
    funlockfile(stdout);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    add(0);
    pthread_join(a, 0);
    assert(x == 2);
}
