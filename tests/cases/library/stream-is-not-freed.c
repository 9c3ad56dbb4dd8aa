//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (file)
        free(file); //~ BUG memory-safety
}
