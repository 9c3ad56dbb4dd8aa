//@ property: assertion
//@ verdict: safe
// Nobody sends the signal: what users and other processes send is not part of the program.
#include <assert.h>
#include <signal.h>

int got;
void note(int number) { got = number; }

int main(void) {
    signal(SIGINT, note);
    assert(!got);
    return 0;
}
