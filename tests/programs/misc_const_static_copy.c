#include <stdio.h>

struct s { int a; const char *n; }; static const struct s one = {1, "one"}; static const int five = 5; static int arr[5] = {five, [3] = five * 2}; static const double pi = 3.25; static double twice = 6.5; static const struct s *ptr = &one; static const char *const greet = "hi"; static const char *const *pg = &greet;
int main(void) { struct s c = one; c.a++; printf("%d %d %s %g %s %d\n", c.a, arr[3], ptr->n, twice, *pg, arr[0]); }
