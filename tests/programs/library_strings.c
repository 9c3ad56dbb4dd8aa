/* All of <string.h> that has one answer. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int sign(int value) { return (value > 0) - (value < 0); }

int main(void) {
    char text[64] = "the quick brown fox";
    printf("%zu %zu\n", strlen(text), strnlen(text, 5));
    printf("%s %s\n", strchr(text, 'q'), strrchr(text, 'o'));
    printf("%s|%s\n", strchrnul(text, 'z'), strchrnul(text, 'b'));
    printf("%s %s\n", strstr(text, "brown"), strcasestr(text, "QUICK"));
    printf("%zu %zu %s\n", strspn(text, "eht"), strcspn(text, "q"), strpbrk(text, "xyz"));
    printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(strcasecmp("ABC", "abd")));
    printf("%d %d\n", sign(strcoll("b", "a")), sign(strncasecmp("ABCx", "abcy", 3)));
    printf("%d %d %d %d\n", sign(strverscmp("a9", "a10")), sign(strverscmp("a01", "a010")), sign(strverscmp("a1", "a1")),
           sign(strverscmp("a09", "a0")));
    char other[32];
    printf("%zu", strxfrm(other, "short", sizeof other));
    printf(" %s", other);
    printf(" %ld", (long)(stpcpy(other, "copy") - other));
    printf(" %s\n", other);
    printf("%ld\n", (long)(stpncpy(other, "ab", 5) - other));
    printf("%d%d%d\n", other[2], other[3], other[4]);
    strcpy(other, "abc");
    strcat(other, "def");
    strncat(other, "ghijkl", 2);
    printf("%s\n", other);
    printf("%s\n", (char *)memccpy(text + 30, "copied;rest", ';', 20) - 7);
    printf("%.5s %.3s\n", (char *)memchr(text, 'k', 19), (char *)memrchr(text, 'o', 19));
    printf("%.3s\n", (char *)rawmemchr(text, 'f'));
    printf("%.5s\n", (char *)memmem(text, 19, "brown", 5));
    printf("%d %d\n", sign(memcmp("abc", "abd", 3)), bcmp("abc", "abc", 3));
    printf("%ld\n", (long)((char *)mempcpy(other, "12345", 6) - other));
    memmove(other + 1, other, 5);
    printf("%s\n", other);
    bzero(other, 3);
    explicit_bzero(other + 3, 3);
    printf("%d %d\n", other[2], other[5]);
    char line[] = "a,b;;c", *rest, *at = line;
    for (char *token = strtok_r(line, ",;", &rest); token; token = strtok_r(0, ",;", &rest))
        printf("<%s>", token);
    char again[] = "x y  z";
    for (char *token = strtok(again, " "); token; token = strtok(0, " "))
        printf("<%s>", token);
    char fields[] = "k=v,,w";
    at = fields;
    for (char *token; (token = strsep(&at, ",="));)
        printf("{%s}", token);
    puts("");
    char *copy = strdup("heap"), *part = strndup("heaps of", 5);
    printf("%s %s|\n", copy, part);
    free(copy);
    free(part);
    printf("%s %s %s\n", strerror(0), strerror(2), strerror(1000));
    printf("%s %s\n", strerrorname_np(22), strerrordesc_np(12));
    char message[40];
    printf("%s\n", strerror_r(13, message, sizeof message));
    printf("%s %s %s\n", strsignal(11), sigabbrev_np(2), sigdescr_np(15));
    printf("%s %s\n", basename("/usr/lib/libc.so"), basename("plain"));
    printf("%s %s\n", index("abc", 'b'), rindex("abcb", 'b'));
    char swapped[4];
    swab("abcd", swapped, 4);
    printf("%.4s\n", swapped);
    memfrob(other, 3);
    printf("%d\n", other[0]);
    printf("%d %d %d\n", ffs(8), ffsl(0), ffsll(1ll << 40));
    return 0;
}
