// What takes the lock of a stream races with what does not.
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
    pthread_create(&a, 0, say, 0);
    putchar('b'); //~ BUG data-race
    pthread_join(a, 0);
}
