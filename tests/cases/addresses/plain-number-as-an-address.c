//@ property: memory-safety
//@ verdict: bug
// Numbers that lead to an object nowhere but by chance.
#include <stdint.h>

static int x = 5, y = 6;

int main(void)
{
    int *pointer = (int *)(uintptr_t)0x7f001234;
    return x + y + *pointer; //~ BUG memory-safety
}
