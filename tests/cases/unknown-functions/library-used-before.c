//@ property: assertion, memory-safety
//@ verdict: safe
// What the library keeps is not looked at any more.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int own;
void other(void);

int main(void) {
    char text[] = "a b";
    char *first = strtok(text, " ");
    assert(first == text);
    srand48(1);
    own = 1;
    other();
    assert(own == 1);
    return 0;
}
