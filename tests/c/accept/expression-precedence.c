// Operators nested so that every parenthesis matters.
int p(int a, int b, int c, int *q, unsigned u)
{
    int r = (a + b) * c - a * (b - c) - (a - (b - c));
    r += a / (b * c) + a / b * c + a % (b + 1);
    r += (a << b) + c; r += a << (b + c); r += (a + b) << c;
    r += (a & b) == c; r += a & (b == c); r += (a | b) & c ^ (a ^ b | c);
    r += !(a && b) || (c && !a); r += (a || b) && c;
    r += -(-a) + - -b - -c + +(+a); r += ~(~a) + !(!b);
    r += *q++ + (*q)++ + ++*q + *++q - --*q; r += -a-- - --b;
    r += (a, b) + (a ? b : c) + (a = b) + (c += 2);
    r = a = b = c; r += a ? b ? 1 : 2 : c ? 3 : 4; r += (a ? b : c) ? 5 : 6;
    r += (a < b) < c; r += a < b == b < c; r += (a == b) == c; r += a == (b == c);
    r += (int)(a + b) + (int)a + b + (char)-a + -(char)a;
    r += sizeof(int) + sizeof a + sizeof(a) * 2 + sizeof(a + b) - sizeof *q;
    r += &q[1] - &*q + (q + 1)[2] + (&a)[0] + *&a;
    r += (u >> 1) - (a - b) - c; r = (r = 3) + 1;
    return r;
}
