// strtok keeps its place where every thread finds it.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <string.h>

char first[] = "a b", second[] = "c d";

void *work(void *text) {
    strtok(text, " "); //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, first);
    work(second);
    pthread_join(a, 0);
}
