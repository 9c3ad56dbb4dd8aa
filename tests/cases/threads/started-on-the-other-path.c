//@ property: assertion
//@ verdict: bug
// One of two threads is started, each after other writes: the second wrongly takes what the first would find.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int number, pair[2], *pointer;

void *first(void *argument) {
    assert(number == 3 && pair[1] == 1 && *pointer == 5);
    return argument;
}

void *second(void *argument) {
    assert(number == 3); //~ BUG assertion
    return argument;
}

int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_int()) {
        number = 3;
        pair[1] = 1;
        pointer = malloc(sizeof *pointer);
        *pointer = 5;
        pthread_create(&thread, 0, first, 0);
    } else {
        pair[1] = 2;
        pthread_create(&thread, 0, second, 0);
    }
    pthread_join(thread, 0);
    return 0;
}
