//@ pipeline: simplify
struct { unsigned low : 3; unsigned char high : 2; } bits;
int f(int a)
{
    if (bits.high || a == 2)
        return bits.low + 1;
    return bits.high > 1 ? bits.low : -bits.high;
}
