//@ property: memory-safety
//@ verdict: bug
#include <ctype.h>

int main(void) {
    return isalpha(100000) != 0; //~ BUG memory-safety
}
