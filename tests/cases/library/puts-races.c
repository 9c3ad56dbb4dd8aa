//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

char line[3] = "x";

void *change(void *unused) {
    line[0] = 0; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, change, 0);
    fputs(line, stderr); //~ BUG data-race
    pthread_join(a, 0);
}
