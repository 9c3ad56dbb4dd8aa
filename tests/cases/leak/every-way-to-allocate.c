//@ property: leak, cleanup
//@ verdict: safe
#include <stdlib.h>
#include <string.h>

struct pair {
    char *first;
    char *second;
};

int main(void) {
    struct pair *pair = malloc(sizeof *pair);
    struct pair copy;
    pair->first = strdup("one");
    pair->second = calloc(2, 3);
    pair->second = realloc(pair->second, 9);
    memcpy(&copy, pair, sizeof copy);
    free(pair);
    free(copy.first);
    free(copy.second);
    return 0;
}
