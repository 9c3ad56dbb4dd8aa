//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

void last(int number) {
    assert(number != SIGABRT); //~ BUG assertion
}

int main(void) {
    signal(SIGABRT, last);
    abort();
}
