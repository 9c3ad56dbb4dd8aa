//@ property: assertion
//@ verdict: safe
//@ bounds: unwind=4
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[3] = "x";
    if (fgets(line, 3, stdin))
        assert(!ferror(stdin));
    else if (feof(stdin))
        assert(line[0] == 'x');
}
