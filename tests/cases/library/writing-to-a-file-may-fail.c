//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "w");
    if (!file)
        return 0;
    fputs("x", file);
    assert(!ferror(file)); //~ BUG assertion
    fclose(file);
}
