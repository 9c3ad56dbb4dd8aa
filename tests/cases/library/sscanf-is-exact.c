//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    int a = 0, b = 0, at = 0;
    char word[8] = "";
    assert(sscanf("12 -0x1f ab]", "%d %i %[^]]%n", &a, &b, word, &at) == 3);
    assert(a == 12 && b == -31 && strcmp(word, "ab") == 0 && at == 11);
    assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == -1 && a == 12);
    assert(sscanf("7:8", "%d:%*d", &a) == 1 && a == 7);
}
