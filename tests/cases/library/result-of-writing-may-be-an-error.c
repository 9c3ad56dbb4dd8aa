//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "w");
    if (!file)
        return 0;
    assert(fprintf(file, "%d", 1) == 1); //~ BUG assertion
    fclose(file);
}
