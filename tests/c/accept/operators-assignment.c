// Every assignment operator on every kind of operand.
struct s { int a; struct s *next; } x, y;
int assign(int i, unsigned char c, double d, char *p, struct s *s, _Bool b)
{
    i += 1; i -= 2; i *= 3; i /= 4; i %= 5; i <<= 1; i >>= 2; i &= 7; i ^= 1; i |= 8;
    c += 200; c <<= 3; c /= d; i += 2.5; d += i; d -= c; d *= d; d /= 3; p += i; p -= 1; b |= 2; b += 1;
    x = y; *s = x; s->next->a = (x = y).a; i = c = d = 3.7; s->a += s->next->a -= 1; *p++ = *p = 'x'; p[i] ^= p[0];
    return i = 4;
}
