// The unnamed bits beside a bit-field are written with it: what another thread has written there by another name is lost.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

union {
    unsigned all;
    struct { unsigned flag : 4; unsigned : 12; };
} word;

void *work(void *argument) {
    word.flag = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    word.all = 0xff00;
    pthread_join(thread, 0);
    assert(word.all >= 0xff00); //~ BUG assertion
}
