// asm with operands: named, read-write, memory, matching, early clobber, lvalues of all kinds.
struct s { int a; int b[3]; };
int exchange(int *p, int value)
{
    int old;
    asm volatile("xchgl %0, %1" : "=r"(old), "+m"(*p) : "0"(value) : "memory", "cc");
    return old;
}
unsigned add(unsigned a, unsigned b, struct s *s)
{
    unsigned sum;
    asm("addl %[right], %[sum]" : [sum] "=&r"(sum) : [left] "0"(a), [right] "ri"(b + 1));
    asm("" : "=m"(s->b[1]), "=r"(s->a) : "m"(*s), "i"(sizeof(int)), "g"(&s->a));
    return sum;
}
