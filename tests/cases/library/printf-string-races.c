//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

char name[4] = "ab";

void *rename_it(void *unused) {
    name[1] = 'c'; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, rename_it, 0);
    printf("%5s|", name); //~ BUG data-race
    pthread_join(a, 0);
}
