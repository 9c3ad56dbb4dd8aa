// A function without `_unlocked` waits for the lock of the stream.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

void *say(void *unused) {
    putc('a', stdout); //~ BUG deadlock
    return unused;
}

int main(void) {
    pthread_t a;
    flockfile(stdout);
    pthread_create(&a, 0, say, 0);
    pthread_join(a, 0); //~ BUG deadlock
    funlockfile(stdout);
}
