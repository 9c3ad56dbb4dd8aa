//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0;
    if (scanf("%d", &number) == EOF)
        assert(feof(stdin) || ferror(stdin));
}
