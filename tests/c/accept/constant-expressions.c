// Integer constant expressions where C wants them.
enum { A = 1 << 4, B = A - 1, C = ~A & 0xff, D = -1, E = (A > B) ? 3 : 4, F = sizeof(int) * 2, G = 'a' + 1, H = !B || C && D };
int array[A + B], two[(int)3.7], three[sizeof(char[7])];
struct s { unsigned f : A / 4; int g[F]; };
_Static_assert(E == 3 && F == 8 && G == 98 && H == 1, "");
_Static_assert(-1 >> 1 == -1 && 7 % -3 == 1 && -7 / 2 == -3, "");
_Static_assert((unsigned char)300 == 44 && (signed char)200 == -56, "");
_Static_assert(0x7fffffff + 1u == 0x80000000, "");
_Static_assert(-1 > 0u, "the usual conversions");
int x = 3 ? 4 : 1 / 0;
int y = 1 || 1 / 0;
static char *address = (char *)array + 4 * sizeof(int);
static int *element = &array[3];
static long difference = &array[5] - &array[2];
static int (*function)(void) = 0;
int cases(int v)
{
    switch (v) { case A: return 1; case B + 2 ... B + 5: return 2; case D: case sizeof(int): return 3; case (char)'x': return 4; }
    return 0;
}
