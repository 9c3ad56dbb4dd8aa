//@ property: assertion, memory-safety
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int format(char *buffer, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(buffer, size, format, list);
    va_end(list);
    return length;
}

static void print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    char buffer[16], *made;
    assert(sprintf(buffer, "%d-%s-%c", 42, "ab", 'x') == 7 && strcmp(buffer, "42-ab-x") == 0);
    assert(snprintf(buffer, 4, "%05d", 7) == 5 && strcmp(buffer, "000") == 0);
    assert(snprintf(0, 0, "%lld", 1234567890123LL) == 13);
    assert(format(buffer, sizeof buffer, "%x/%lu/%s", 255u, 3ul, "z") == 6 && strcmp(buffer, "ff/3/z") == 0);
    assert(asprintf(&made, "%s%d", "n", 1) == 2 && strcmp(made, "n1") == 0);
    free(made);
    print("%s %d\n", "printed", 1);
    printf("%3d|%-3d|\n", 5, 5);
    fprintf(stderr, "to the other stream\n");
    fputs("text\n", stdout);
    puts("line");
    putchar('\n');
}
