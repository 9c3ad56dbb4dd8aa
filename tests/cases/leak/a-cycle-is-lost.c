//@ property: leak
//@ verdict: bug
// Two objects point to each other, and nothing else does.
#include <stdlib.h>

struct node {
    struct node *other;
};

int main(void) {
    struct node *one = malloc(sizeof *one); //~ BUG leak
    struct node *two = malloc(sizeof *two); //~ BUG leak
    one->other = two;
    two->other = one;
    return 0;
}
