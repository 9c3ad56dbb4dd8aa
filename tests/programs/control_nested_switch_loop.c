#include <stdio.h>

int main(void) {
    int state = 0, out = 0; const char *text = "ab1c22 d--e3";
    for (const char *p = text; *p; p++) switch (state) {
        case 0: switch (*p) { case 'a' ... 'z': out += 1; break; case '0' ... '9': state = 1; out += 10; break; default: state = 2; } break;
        case 1: if (*p >= '0' && *p <= '9') out += 100; else { state = 0; p--; } break;
        case 2: state = 0; out += 1000; break; }
    printf("%d %d\n", state, out);
}
