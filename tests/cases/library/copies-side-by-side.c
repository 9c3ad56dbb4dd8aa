//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <string.h>

int main(void) {
    char text[8] = "abc";
    int numbers[4] = {1, 2};
    memcpy(text + 4, text, 4);
    memcpy(numbers + 2, numbers, 2 * sizeof(int));
    memmove(text + 1, text, 2);
    assert(!strcmp(text, "aab") && !strcmp(text + 4, "abc") && numbers[3] == 2);
}
