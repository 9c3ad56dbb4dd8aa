// Everything becomes _Bool by comparison with zero.
_Bool a = 0.1, b = (void *)"x" != 0, c = 256, d = -0.0;
struct s { _Bool f : 1, g; } s = {2, 3};
_Bool convert(int i, double d, char *p, int (*fn)(void), _Complex double z) { _Bool b = i; b = d; b = p; b = fn; b = z; b += 1; b = !b; s.f = i; return p; }
int array[2]; int use(void) { return (_Bool)array + (_Bool)0.5 + (array ? 1 : 2); }
