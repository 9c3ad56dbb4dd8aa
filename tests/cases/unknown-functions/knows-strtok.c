//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may call strtok.
#include <assert.h>
#include <string.h>

void other(void);

int main(void) {
    char text[] = "a b";
    strtok(text, " ");
    other();
    char *next = strtok(0, " ");
    assert(next == text + 2);
    return 0;
}
