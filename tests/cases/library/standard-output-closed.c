//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    fclose(stdout);
    printf("gone\n"); //~ BUG memory-safety
}
