// What the types say nothing about is copied by bytes.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <string.h>

short to, from = 0x0102;

void copy(void *target, const void *source, unsigned size) { memcpy(target, source, size); }

void *work(void *argument) {
    copy(&to, &from, sizeof to);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    short seen = to;
    assert(seen == 0 || seen == 0x0102); //~ BUG assertion
    pthread_join(thread, 0);
}
