//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    char text[2] = {'a', 'b'};
    puts("before");
    printf("%s", text); //~ BUG memory-safety
}
