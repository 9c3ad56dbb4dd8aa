//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(4);
    sprintf(buffer, "%s", "four"); //~ BUG memory-safety thread=t0
    free(buffer);
}
