//@ property: memory-safety
//@ verdict: unknown
//@ reason: where objects lie
// A text that is one byte too long for its member: its end lies over the pointer behind it.
#include <string.h>

static struct { char name[8]; int *pointer; } entry;
static int number = 7;

int main(void)
{
    entry.pointer = &number;
    strcpy(entry.name, "12345678");
    return *entry.pointer;
}
