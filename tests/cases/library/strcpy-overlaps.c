//@ property: memory-safety
//@ verdict: bug
#include <string.h>

int main(void) {
    char text[8] = "abc";
    strcpy(text, text + 1); //~ BUG memory-safety
}
