//@ property: leak
//@ verdict: bug
// The only pointer is a local of `main`, which has ended when the program does.
#include <stdlib.h>

int main(void) {
    char *text = malloc(10); //~ BUG leak
    text[0] = 0;
    return text[0];
}
