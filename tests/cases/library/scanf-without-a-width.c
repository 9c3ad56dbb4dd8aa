//@ property: memory-safety
//@ verdict: bug
//@ bounds: unwind=4
#include <stdio.h>

int main(void) {
    char word[2];
    scanf("%s", word); //~ BUG memory-safety
}
