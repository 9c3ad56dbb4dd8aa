//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    fclose(file);
    return ftell(file) == 0; //~ BUG memory-safety
}
