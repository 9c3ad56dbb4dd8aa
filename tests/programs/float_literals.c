#include <stdio.h>

int main(void) {
    printf("%.9g %.9g %.9g\n", 0.1f, 16777216.5f, 1.17549435e-38f);
    printf("%.17g %.17g\n", 0x1.8p3, 1e-5); printf("%.9g\n", 8.589973e9f); printf("%.9g %.9g\n", 1.00000017881393432617187499f, 1.00000017881393432617187501f);
    printf("%d %d %d\n", (int)sizeof(1.0), (int)sizeof(1.0f), (int)sizeof(1.0f * 1.0));
}
