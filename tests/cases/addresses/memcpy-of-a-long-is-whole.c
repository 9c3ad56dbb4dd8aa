// What is aligned to a word is copied by words.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

long to, from = 0x1020304;

void *work(void *argument) {
    memcpy(&to, &from, sizeof to);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    long seen = to;
    assert(seen == 0 || seen == 0x1020304);
    pthread_join(thread, 0);
}
