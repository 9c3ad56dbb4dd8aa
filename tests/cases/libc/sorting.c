//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int main(void) {
    int cells[6] = {5, 3, 9, 1, 3, 7}, key = 7, none = 4;
    qsort(cells, 6, sizeof cells[0], by_value);
    for (int i = 0; i < 5; i++)
        assert(cells[i] <= cells[i + 1]);
    assert(bsearch(&key, cells, 6, sizeof cells[0], by_value) == &cells[4]);
    assert(!bsearch(&none, cells, 6, sizeof cells[0], by_value));
    const char *names[3] = {"pear", "apple", "fig"};
    qsort(names, 3, sizeof names[0], by_name);
    assert(strcmp(names[0], "apple") == 0 && strcmp(names[1], "fig") == 0 && strcmp(names[2], "pear") == 0);
}
