//@ property: uninitialised
//@ verdict: bug
#include <stdio.h>

struct pair {
    int first, second;
};

int main(void) {
    struct pair pair, copy;
    pair.first = 1;
    copy = pair;
    putchar('a' + copy.first);
    putchar(copy.second); //~ BUG uninitialised
    return 0;
}
