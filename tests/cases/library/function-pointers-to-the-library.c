//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double (*root)(double) = sqrt;
size_t (*length)(const char *) = strlen;
int (*magnitude)(int) = abs;

int main(void) {
    assert(root(9) == 3 && length("abc") == 3 && magnitude(-2) == 2);
}
