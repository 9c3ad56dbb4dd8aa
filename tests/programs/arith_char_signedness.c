#include <stdio.h>

int main(void) {
    char c = '\xff'; printf("%d %d\n", c, c == 255);
    char s[] = "\200\377A"; printf("%d %d %d %d\n", s[0], s[1], s[2], (int)sizeof s);
    int hist[4] = {0}; for (char *p = s; *p; p++) hist[(unsigned char)*p >> 6]++;
    printf("%d %d %d %d\n", hist[0], hist[1], hist[2], hist[3]);
}
