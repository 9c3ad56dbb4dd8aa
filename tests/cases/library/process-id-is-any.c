//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(getpid() != 1); //~ BUG assertion
}
