// Formatted output into shared memory is written byte by byte, like any other.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdio.h>

char buffer[8];

void *work(void *number) {
    sprintf(buffer, "%d", (int)(long)number); //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)2);
    pthread_join(a, 0);
}
