// What `snprintf` writes comes byte by byte.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

char text[4] = "ab";

void *work(void *argument) {
    snprintf(text, sizeof text, "%s", "cd");
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    char first = text[0];
    char second = text[1];
    assert(!(first == 'c' && second == 'b')); //~ BUG assertion
    pthread_join(thread, 0);
}
