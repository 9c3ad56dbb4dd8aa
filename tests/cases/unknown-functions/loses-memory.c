//@ property: leak
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may overwrite the only pointer.
#include <stdlib.h>

char *text;
void other(void);

int main(void) {
    text = malloc(4);
    other();
    return 0;
}
