#include <stdio.h>

int main(void) {
    int v[] = {7, -7, 2147483647, -2147483647, 0, 1};
    int d[] = {2, -2, 3, -3, 7};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 5; j++)
            printf("%d/%d=%d r %d\n", v[i], d[j], v[i] / d[j], v[i] % d[j]);
}
