//@ lp64 only
/* <stdlib.h> and <ctype.h> where they have one answer. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
static int backwards(const void *left, const void *right, void *calls) {
    ++*(int *)calls;
    return compare(right, left);
}

static void classes(void) {
    for (int i = -1; i < 256; i += i < 0 || (i >= 31 && i < 128) ? 1 : 16)
        printf("%d:%d%d%d%d%d%d%d%d%d%d%d%d %d %d;", i, !!isalnum(i), !!isalpha(i), !!isblank(i), !!iscntrl(i), !!isdigit(i),
               !!isgraph(i), !!islower(i), !!isprint(i), !!ispunct(i), !!isspace(i), !!isupper(i), !!isxdigit(i), toupper(i),
               tolower(i));
    printf("\n%d %d\n", isascii(200), toascii(200));
}

static void texts(void) {
    static const char *const numbers[] = {"12", " -7x", "0x1f", "077", "", "z", "+", "99999999999999999999", "-99999999999999999999",
                                          "2147483648", "0x", "1e3"};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;
        errno = 0;
        printf("%ld", strtol(numbers[i], &end, 0));
        printf(" %d %d", (int)(end - numbers[i]), errno);
        errno = 0;
        printf(" %llu", strtoull(numbers[i], &end, 10));
        printf(" %d %d", (int)(end - numbers[i]), errno);
        printf(" %lx %d\n", strtoul(numbers[i], 0, 36), atoi(i < 7 ? numbers[i] : "5"));
    }
    static const char *const floats[] = {"1.5", "-2e3", ".5x", "1e-400", "1e400", "inf", "-nan", "0x1.8p3", "0.1", "123456789012345678",
                                         "1.7976931348623157e308", "4.9e-324", "e5", "1e", "0x.8", "3.14159265358979"};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        char *end;
        printf("%a", strtod(floats[i], &end));
        printf(" %d %a\n", (int)(end - floats[i]), strtof(floats[i], 0));
    }
    printf("%g %ld %lld\n", atof("2.25"), atol("-5"), atoll("6"));
}

int main(void) {
    classes();
    texts();
    div_t a = div(-7, 2);
    ldiv_t b = ldiv(7, -2);
    lldiv_t c = lldiv(-9, -4);
    printf("%d %d %ld %ld %lld %lld\n", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem);
    printf("%d %ld %lld\n", abs(-3), labs(-4), llabs(-5));
    int numbers[] = {5, 3, 9, 1, 7}, calls = 0, key = 7;
    qsort(numbers, 5, sizeof *numbers, compare);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    printf("%d\n", (int)((int *)bsearch(&key, numbers, 5, sizeof *numbers, compare) - numbers));
    qsort_r(numbers, 5, sizeof *numbers, backwards, &calls);
    printf("%d %d %d\n", numbers[0], numbers[4], calls > 0);
    size_t count = 5;
    key = 4;
    printf("%d ", lfind(&key, numbers, &count, sizeof *numbers, compare) == 0);
    int more[6] = {1, 2};
    count = 2;
    lsearch(&key, more, &count, sizeof *more, compare);
    printf("%zu %d\n", count, more[2]);
    srand48(42);
    printf("%ld", lrand48());
    printf(" %ld", mrand48());
    printf(" %f\n", drand48());
    unsigned short state[3] = {1, 2, 3};
    printf("%ld", nrand48(state));
    printf(" %ld", jrand48(state));
    printf(" %f\n", erand48(state));
    struct drand48_data data;
    long number;
    double fraction;
    srand48_r(7, &data);
    lrand48_r(&data, &number);
    drand48_r(&data, &fraction);
    printf("%ld %f\n", number, fraction);
    unsigned seed = 5;
    printf("%d", rand_r(&seed));
    printf(" %d", rand_r(&seed));
    printf(" %u\n", seed);
    printf("%s %ld\n", l64a(123456), a64l("/.9z"));
    wchar_t wide[8];
    char bytes[8];
    printf("%d %d", mbtowc(wide, "a", 1), mblen("", 1));
    printf(" %zu\n", mbstowcs(wide, "abc", 8));
    printf("%zu", wcstombs(bytes, wide, 8));
    printf(" %s", bytes);
    printf(" %d\n", wctomb(bytes, L'x'));
    char options[] = "ro,size=10,other", *at = options, *value;
    char *const tokens[] = {"ro", "size", 0};
    for (int i = 0; i < 3; i++) {
        int found = getsubopt(&at, tokens, &value);
        printf("%d %s\n", found, value ? value : "-");
    }
    int point, sign;
    char text[40];
    printf("%s", ecvt(123.456, 5, &point, &sign));
    printf(" %d %d", point, sign);
    printf(" %s", fcvt(-0.0123, 3, &point, &sign));
    printf(" %d %d", point, sign);
    printf(" %s\n", gcvt(1e-5, 4, text));
    printf("%d", strfromd(text, 40, "%.3f", 2.5));
    printf(" %s\n", text);
    setenv("RADDLE_TEST", "value", 1);
    printf("%s\n", getenv("RADDLE_TEST"));
    setenv("RADDLE_TEST", "other", 0);
    printf("%s\n", getenv("RADDLE_TEST"));
    unsetenv("RADDLE_TEST");
    printf("%d\n", getenv("RADDLE_TEST") == 0);
    putenv("RADDLE_TEST=put");
    printf("%s\n", getenv("RADDLE_TEST"));
    int *block = reallocarray(0, 4, sizeof *block);
    block[3] = 4;
    void *aligned;
    printf("%d %d", block[3], posix_memalign(&aligned, 64, 10));
    free(aligned);
    printf(" %d\n", posix_memalign(&aligned, 3, 10));
    free(block);
    return 0;
}
