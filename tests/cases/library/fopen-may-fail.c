//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "w");
    fputs("text", file); //~ BUG memory-safety
    fclose(file);
}
