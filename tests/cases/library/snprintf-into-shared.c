//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

char line[8];

void *fill(void *unused) {
    snprintf(line, sizeof line, "%d", 5); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, fill, 0);
    snprintf(line, sizeof line, "%s", "main"); //~ BUG data-race
    pthread_join(a, 0);
}
