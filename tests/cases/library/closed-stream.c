//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "w");
    if (file) {
        fclose(file);
        fprintf(file, "%d", 1); //~ BUG memory-safety
    }
}
