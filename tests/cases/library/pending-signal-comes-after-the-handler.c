//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <signal.h>

int count;

void again(int number) {
    if (++count == 1) {
        raise(number);
        assert(count == 1);
    }
}

int main(void) {
    signal(SIGUSR1, again);
    raise(SIGUSR1);
    assert(count == 2);
}
