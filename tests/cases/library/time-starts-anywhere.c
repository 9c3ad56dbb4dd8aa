//@ property: assertion
//@ verdict: bug
//@ finds: exhaustive
#include <assert.h>
#include <time.h>

int main(void) {
    time_t now = time(0);
    assert(now != 0); //~ BUG assertion
}
