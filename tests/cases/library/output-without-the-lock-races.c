//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

void *say(void *unused) {
    putchar_unlocked('a'); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, say, 0);
    putchar_unlocked('b'); //~ BUG data-race
    pthread_join(a, 0);
}
