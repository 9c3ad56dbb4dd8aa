// A function with `_unlocked` does not wait for the lock of the stream, so this is a race.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

void *say(void *unused) {
    putc_unlocked('a', stdout); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    flockfile(stdout);
    pthread_create(&a, 0, say, 0);
    putchar('b'); //~ BUG data-race
    pthread_join(a, 0);
    funlockfile(stdout);
}
