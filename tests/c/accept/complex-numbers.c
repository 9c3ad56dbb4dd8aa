// _Complex types, imaginary constants, real and imaginary parts.
_Complex double z = 1.0 + 2.0i;
float _Complex w = 3.0fi;
_Complex q;
long double _Complex l = 1.0Li + 2;
_Complex int gaussian = 3 + 4i;
__complex__ double alternative = 2.0j;
double parts(double _Complex c, _Complex float f)
{
    __real__ c = 3;
    __imag__ c += 1;
    c = c * f + ~c - 2.5 / c;
    if (c == f || !c)
        return __real__ f + __imag f;
    return (double)c + __real__(c * 1.0i);
}
_Static_assert(sizeof(_Complex float) == 8 && sizeof(_Complex double) == 16, "");
