//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    fclose(file); //~ BUG memory-safety
}
