//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    int before = 0, length;
    char text[16];
    const char *format = "%s-%d%n";
    length = printf("%d%n %5s|%-4x|%c%%", -12, &before, "ab", 255, 'z');
    assert(before == 3 && length == 3 + 1 + 5 + 1 + 4 + 1 + 2);
    length = snprintf(text, sizeof text, format, "x", 70, &before);
    assert(length == 4 && before == 4 && strcmp(text, "x-70") == 0);
    length = sprintf(text, "%03d", 7);
    assert(length == 3 && strcmp(text, "007") == 0);
    length = snprintf(text, 3, "abcdef");
    assert(length == 6 && strcmp(text, "ab") == 0);
}
