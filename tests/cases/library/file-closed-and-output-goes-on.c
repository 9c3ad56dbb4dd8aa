//@ property: memory-safety
//@ verdict: safe
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (file)
        fclose(file);
    printf("done\n");
    fflush(stdout);
}
