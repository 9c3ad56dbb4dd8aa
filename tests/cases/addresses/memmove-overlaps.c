// Both directions, and pointers stay pointers.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <string.h>

int target = 3;
int *pointers[4] = {0, &target, 0, 0};
char text[8] = "abcdef";

int main(void) {
    memmove(text + 2, text, 5);
    assert(text[2] == 'a' && text[6] == 'e' && text[0] == 'a');
    memmove(text, text + 2, 5);
    assert(text[0] == 'a' && text[4] == 'e');
    memmove(pointers + 1, pointers, 3 * sizeof *pointers);
    assert(*pointers[2] == 3 && !pointers[1]);
    memmove(pointers, pointers + 2, sizeof *pointers);
    assert(*pointers[0] == 3);
}
