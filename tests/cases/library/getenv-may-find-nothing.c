//@ property: memory-safety
//@ verdict: bug
#include <stdlib.h>

int main(void) {
    return getenv("HOME")[0]; //~ BUG memory-safety
}
