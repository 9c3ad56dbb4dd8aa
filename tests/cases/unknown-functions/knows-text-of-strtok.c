//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// strtok in there writes into the text.
#include <assert.h>
#include <string.h>

void other(void);

int main(void) {
    char text[] = "a b c";
    strtok(text, " ");
    other();
    assert(text[3] == ' ');
    return 0;
}
