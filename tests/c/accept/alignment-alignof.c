// _Alignof, __alignof__ of types and of expressions.
struct mixed { char c; double d; };
int a = _Alignof(int), b = _Alignof(struct mixed), c = __alignof__(double), d = __alignof(long long);
struct mixed object;
int e = __alignof__(object), f = __alignof__ object.d, g = __alignof__(object.c);
_Static_assert(_Alignof(char) == 1, "");
unsigned long arrays = _Alignof(short[7]);
