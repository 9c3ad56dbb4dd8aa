//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[3] = "x";
    if (!fgets(line, 3, stdin))
        assert(line[0] == 'x' || feof(stdin)); //~ BUG assertion
}
