// A function with `_unlocked` does not wait for the lock of the stream, whoever holds it.
//@ property: deadlock
//@ verdict: safe
#include <pthread.h>
#include <stdio.h>

void *say(void *unused) {
    putc_unlocked('a', stdout);
    return unused;
}

int main(void) {
    pthread_t a;
    flockfile(stdout);
    pthread_create(&a, 0, say, 0);
    pthread_join(a, 0);
    funlockfile(stdout);
}
