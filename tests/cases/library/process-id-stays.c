//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(getpid() == getpid() && getuid() == getuid() && getpid() > 0);
}
