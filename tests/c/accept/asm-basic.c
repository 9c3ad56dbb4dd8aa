// asm without operands, at file scope and in functions, in all spellings.
asm("");
__asm__(".globl some_symbol\n\t.set some_symbol, 4");
__asm("" "# joined" " pieces");
void nops(void)
{
    asm("nop");
    asm volatile("nop");
    __asm__ __volatile__("nop\n\tnop");
    asm inline("nop");
    asm volatile inline("" ::: "memory");
}
