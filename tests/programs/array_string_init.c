#include <stdio.h>
#include <string.h>

int main(void) { char a[] = "abc", b[10] = "xy", c[3] = "xyz", d[] = {'q', 0}, e[][4] = {"one", "two"}; char *p = "lit" "eral"; printf("%d %d %d %d %d\n", (int)sizeof a, (int)sizeof b, c[2], (int)sizeof d, (int)sizeof e); printf("%s %s %s %s %d\n", a, e[1], p, d, b[9]); a[0] = 'A'; printf("%s %d\n", a, (int)strlen(b)); char z[] = "a\0b"; printf("%d %d\n", (int)sizeof z, z[2]); static char s[8] = "stat"; s[4] = '!'; printf("%s\n", s); unsigned char u[] = "\x80\377"; printf("%d %d\n", u[0], u[1]); printf("%c%c\n", "hello"[1], *("world" + 2)); }
