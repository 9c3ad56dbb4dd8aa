//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdlib.h>

struct pair { int key, value; };

int by_key(const void *left, const void *right) {
    return ((const struct pair *)left)->key - ((const struct pair *)right)->key;
}

int main(void) {
    struct pair pairs[2] = {{1, 1}, {1, 2}};
    qsort(pairs, 2, sizeof *pairs, by_key);
    assert(pairs[0].value == 1); //~ BUG assertion
}
