//@ property: data-race
//@ verdict: bug
// `%n` writes.
#include <pthread.h>
#include <stdio.h>

int count;

void *look(void *unused) {
    return count ? unused : 0; //~ BUG data-race
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    printf("some%n", &count); //~ BUG data-race
    pthread_join(a, 0);
}
