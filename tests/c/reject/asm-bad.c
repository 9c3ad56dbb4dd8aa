int f(int x)
{
    asm("nop" : "=r"(3));
    asm("nop" : : : : );
    asm(x);
    return x;
}
