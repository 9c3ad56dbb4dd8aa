// Who holds the lock of a stream may use it without taking the lock again; others wait.
//@ property: data-race, deadlock, lock-misuse
//@ verdict: safe
#include <pthread.h>
#include <stdio.h>

void *say(void *unused) {
    flockfile(stdout);
    putc_unlocked('a', stdout);
    fputs("b", stdout);
    putc_unlocked('\n', stdout);
    funlockfile(stdout);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, say, 0);
    fputs("c", stdout);
    putchar('d');
    pthread_join(a, 0);
}
