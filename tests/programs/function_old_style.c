#include <stdio.h>

int add(a, b, c) int a; char b; float c; { return a + b * 2 + (int)c; }
int noargs() { return 3; } double half(x) double x; { return x / 2; } char *name(s) char s[]; { return s + 1; } int many(); 
int main() { printf("%d %d %g %s\n", add(1, 'a', 2.5), noargs(), half(5.0), name("xyz")); char c = 'b'; float f = 3.5f; printf("%d\n", add(1, c, f)); printf("%d\n", many(1, 2, 3)); int (*p)() = add; printf("%d\n", p(5, 'c', 1.0)); }
int many(a, b, c) int a, b, c; { return a * 100 + b * 10 + c; }
