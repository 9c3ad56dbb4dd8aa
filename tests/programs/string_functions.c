#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) { char b[40] = "hello"; strcat(b, " world"); printf("%s %d\n", b, (int)strlen(b)); printf("%d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp("x", "x")); printf("%s %s\n", strchr(b, 'w'), strrchr(b, 'l')); printf("%s\n", strstr(b, "lo")); strncpy(b, "xyz", 5); printf("%s|%d\n", b, b[4]); memset(b, '-', 3); memmove(b + 1, b, 5); b[8] = 0; printf("%.3s\n", b); printf("%d %d\n", memcmp("abc", "abd", 3) < 0, strncmp("abc", "abd", 2)); printf("%d %d\n", (int)strspn("aabbc", "ab"), (int)strcspn("aabbc", "c")); char *d = strdup("dup"); d[0] = 'D'; puts(d); free(d); printf("%d %ld\n", atoi("-42x"), atol("77")); }
