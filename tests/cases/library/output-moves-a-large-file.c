// What is written moves the position, whatever the function for it is called.
//@ property: assertion
//@ verdict: bug
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = tmpfile64();
    if (!file)
        return 0;
    long long before = ftello64(file);
    fprintf(file, "abc");
    long long after = ftello64(file);
    assert(before == after); //~ BUG assertion
}
