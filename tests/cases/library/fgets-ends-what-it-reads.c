//@ property: assertion, memory-safety
//@ verdict: safe
//@ explore: random
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[3] = {1, 1, 1};
    if (fgets(line, sizeof line, stdin))
        assert(strlen(line) < sizeof line);
    else if (feof(stdin))
        assert(line[2] == 1);
}
