//@ property: assertion, memory-safety
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char text[32] = "left", *rest, *copy;
    assert(strlen(text) == 4 && strnlen(text, 2) == 2);
    assert(strcat(text, "-right") == text && strcmp(text, "left-right") == 0);
    assert(strncmp(text, "left+", 4) == 0 && strncmp(text, "left+", 5) > 0);
    assert(strcasecmp("ABC", "abc") == 0 && strncasecmp("ABx", "aby", 2) == 0);
    assert(strchr(text, '-') == text + 4 && !strchr(text, 'z') && *strchr(text, 0) == 0);
    assert(strrchr(text, 't') == text + 9 && strstr(text, "rig") == text + 5 && !strstr(text, "no"));
    assert(strspn(text, "lef") == 3 && strcspn(text, "-") == 4 && strpbrk(text, "r-") == text + 4);
    assert(strcmp(strtok_r(text, "-", &rest), "left") == 0);
    assert(strcmp(strtok_r(0, "-", &rest), "right") == 0 && !strtok_r(0, "-", &rest));
    copy = strndup("abcdef", 3);
    assert(strcmp(copy, "abc") == 0);
    strncpy(copy, "x", 4);
    assert(copy[0] == 'x' && copy[1] == 0 && copy[3] == 0);
    free(copy);
    char target[8];
    assert(stpcpy(target, "abc") == target + 3);
    assert(memcmp("abc", target, 4) == 0 && memcmp("abd", target, 3) > 0);
    assert(memchr(target, 'c', 3) == target + 2 && !memchr(target, 'z', 3));
}
