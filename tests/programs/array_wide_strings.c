#include <stdio.h>
#include <wchar.h>
#include <uchar.h>

int main(void) { wchar_t w[] = L"ab\u00e9"; char16_t u[] = u"x\u20ac"; char32_t U[] = U"\U0001F600z"; printf("%d %d %d\n", (int)w[2], (int)(sizeof w / sizeof *w), (int)sizeof u); printf("%x %x %x\n", u[1], (unsigned)U[0], (unsigned)U[1]); const wchar_t *p = L"wide"; int n = 0; while (p[n]) n++; printf("%d %d\n", n, L'q'); char e[] = u8"\u00e9"; printf("%d %d\n", (int)sizeof e, (unsigned char)e[0]); }
