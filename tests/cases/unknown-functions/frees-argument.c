//@ property: memory-safety
//@ verdict: unknown
//@ reason: depends on `take`, which has no body
// It may free what it is given.
#include <stdlib.h>

void take(char *text);

int main(void) {
    char *text = malloc(4);
    take(text);
    text[0] = 1;
    free(text);
    return 0;
}
