#include <stdio.h>

static int cmp(double a, double b) { return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5; }
int main(void) {
    double z = 0, v[] = {-1, -0.0, 0.0, 1, 1 / z, z / z};
    for (int i = 0; i < 6; i++) { for (int j = 0; j < 6; j++) printf("%02d ", cmp(v[i], v[j])); printf("\n"); }
    for (int i = 0; i < 6; i++) printf("%d%d%d ", v[i] && 1, !v[i], v[i] ? 2 : 3); printf("\n");
}
