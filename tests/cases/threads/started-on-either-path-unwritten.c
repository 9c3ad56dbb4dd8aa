//@ property: assertion
//@ verdict: bug
// What one path wrote is not there on the other, where nothing was ever written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct pair { int first, second; };

void *work(void *argument) {
    struct pair *pair = argument;
    assert(pair->second == 3); //~ BUG assertion
    return 0;
}

int main(void) {
    pthread_t thread;
    struct pair *pair = malloc(sizeof *pair);
    pair->first = 1;
    if (!__VERIFIER_nondet_int()) {
        pair->second = 3;
        pthread_create(&thread, 0, work, pair);
    } else {
        pthread_create(&thread, 0, work, pair);
    }
    pthread_join(thread, 0);
    free(pair);
    return 0;
}
