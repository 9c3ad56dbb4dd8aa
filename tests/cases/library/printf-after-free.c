//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(3);
    strcpy(text, "ab");
    free(text);
    printf("%.1s", text); //~ BUG memory-safety
}
