//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

struct pair { int key, value; };

int by_key(const void *left, const void *right) {
    return ((const struct pair *)left)->key - ((const struct pair *)right)->key;
}

int main(void) {
    struct pair pairs[3] = {{2, 1}, {1, 2}, {1, 3}};
    qsort(pairs, 3, sizeof *pairs, by_key);
    assert(pairs[0].key == 1 && pairs[1].key == 1 && pairs[2].value == 1);
    assert(pairs[0].value + pairs[1].value == 5);
}
