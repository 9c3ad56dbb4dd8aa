// Where a table keeps an entry depends on the layout; that it is there does not. Enumeration knows one layout only.
//@ property: assertion, memory-safety
//@ verdict: safe
//@ explore: random
#include <assert.h>
#include <stdint.h>

int object, table[4];

int main(void) {
    table[((uintptr_t)&object >> 4) % 4] = 1;
    assert(table[0] + table[1] + table[2] + table[3] == 1);
}
