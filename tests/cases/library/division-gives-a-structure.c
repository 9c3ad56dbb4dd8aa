// `div` and its kin give structures of the library's own types.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    ldiv_t both = ldiv(7L, -2L);
    assert(both.quot == -3 && both.rem == 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(div(-7, 2).quot == -3);
    pthread_join(thread, 0);
}
