// asm names of variables and functions, register variables.
int visible asm("invisible") = 4;
extern int other(int) __asm__("other_name");
int twice(int x) { return other(x) * visible; }
int registers(void)
{
    register int a asm("eax") = 3;
    register unsigned int plain = 4;
    asm volatile("" : "+r"(a));
    return a + plain;
}
