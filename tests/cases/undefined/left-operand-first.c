//@ property: assertion
//@ verdict: safe
// Which operand comes first is open (C11 6.5p3): it is the left one, and the ledger says so.
#include <assert.h>

static int balance = 10;

static int withdraw(int amount) {
    balance -= amount;
    return amount;
}

int main(void) {
    int before = balance + withdraw(3);
    assert(before == 13);
}
