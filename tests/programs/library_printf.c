//@ lp64 only
/* Formats that are literals, formats that are not, and buffers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void through_list(const char *format, ...) {
    char text[80];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("[%s] %d\n", text, length);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    puts("");
}

#define BOTH(...)                                              \
    do {                                                       \
        char text_[120];                                       \
        int a_ = printf(__VA_ARGS__);                          \
        int b_ = snprintf(text_, sizeof text_, __VA_ARGS__);   \
        printf(" = %s (%d %d)\n", text_, a_, b_);              \
        through_list(__VA_ARGS__);                             \
    } while (0)

int main(void) {
    BOTH("%d %5d %-5d| %05d %+d % d %i", 7, 42, 42, -42, 7, 7, -1);
    BOTH("%u %x %X %#x %o %#o", -1, 255, 255, 255, 8, 8);
    BOTH("%ld %hhd %hd %lu %lld %zu %jd %td", -1l, 300, 70000, 5ul, -1234567890123ll, sizeof(char), (__INTMAX_TYPE__)-3,
         (__PTRDIFF_TYPE__)9);
    BOTH("%.3d|%8.3d|%.0d|%08.3d|%#010x|%-#8x|", 5, 5, 0, 5, 255, 255);
    BOTH("%#o %#.0o %#.3o %#5o|%-5o|%+.2d", 0, 0, 8, 8, 8, 3);
    BOTH("%*d|%-*d|%.*d|%*d|", 4, 7, 4, 7, 3, 7, -4, 7);
    BOTH("%c%3c%-3c| %%", 'A', 'B', 'C');
    BOTH("%s|%10s|%-10s|%.2s|%6.2s|%.*s", "text", "text", "text", "text", "text", 1, "text");
    BOTH("%f %.0f %.10f %e %g %G %a", 1.5, 2.5, 1.0 / 3, 12345.678, 0.0001, 1e10, 3.0);
    BOTH("%8.2f|%-8.2f|%08.2f|%+.1f", 3.14159, 3.14159, -3.14159, 2.0);
    BOTH("%p %5p|", (void *)0, (void *)0);
    BOTH("%lu", 18446744073709551615ul);
    BOTH("no conversion at all");
    int count = 0, total = 0;
    printf("ab%ncd%n\n", &count, &total);
    printf("%d %d\n", count, total);
    long wide = 0;
    short narrow = 0;
    char text[8];
    int length = snprintf(text, sizeof text, "%d%ln%s%hn", 12345, &wide, "cut off", &narrow);
    printf("%s %d %ld %d\n", text, length, wide, narrow);
    memset(text, 'x', sizeof text);
    printf("%d", snprintf(text, 0, "%d", 5));
    printf(" %c\n", text[0]);
    length = sprintf(text, "%s", "");
    printf("%d %d\n", length, text[0]);
    char all[4] = {'a', 'b', 'c', 'd'};
    printf("%.4s %.*s\n", all, 2, all);
    fprintf(stdout, "%s\n", "to a stream");
    fputs("as it is %d\n", stdout);
    const char *format = "%d %s %5.1f\n";
    printf(format, 1, "two", 3.0);
    return 0;
}
