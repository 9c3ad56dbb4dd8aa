// An input is looked at while another thread copies: the copy has the same operations in every engine.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <string.h>

_Bool __VERIFIER_nondet_bool(void);
char before;
struct pair { int a, b; } to, from = {1, 2};
int done;

void *work(void *argument) {
    memcpy(&to, &from, sizeof to);
    done = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    _Bool input = __VERIFIER_nondet_bool();
    assert(!(input && done)); //~ BUG assertion
    pthread_join(thread, 0);
}
