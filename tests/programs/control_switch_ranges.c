#include <stdio.h>

static const char *f(long long x) {
    switch (x) { case -10 ... -1: return "neg"; case 0: return "zero"; case 1 ... 9: return "digit"; case 0x100000000ll: return "2^32"; case 10 ... 0xffffffffll: return "big"; case (-9223372036854775807ll - 1): return "min"; }
    return "other";
}
static int g(unsigned char c) { switch (c) { case 'a' ... 'z': return 1; case 'A' ... 'Z': return 2; case 200 ... 255: return 3; default: return 0; } }
static int h(int x) { switch (x) { case -2 ... 2: return 1; default: return 0; } }
int main(void) {
    long long v[] = {-11, -10, -1, 0, 1, 9, 10, 0xffffffffll, 0x100000000ll, 0x100000001ll, -9223372036854775807ll - 1};
    for (int i = 0; i < 11; i++) printf("%s ", f(v[i]));
    printf("%d%d%d%d\n", g('q'), g('Q'), g(250), g('1')); for (int i = -4; i < 5; i++) printf("%d", h(i)); printf("\n");
}
