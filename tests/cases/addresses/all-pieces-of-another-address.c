//@ property: assertion, memory-safety
//@ verdict: safe
// All bytes of one address over those of another in the same array, one by one and not in order: then it is the other one.
#include <assert.h>

static char text[1024];

int main(void)
{
    char *first = text, *second = text + 300;
    unsigned char *to = (unsigned char *)&first, *from = (unsigned char *)&second;
    for (unsigned i = 1; i < sizeof first; i += 2)
        to[i] = from[i];
    for (unsigned i = 0; i < sizeof first; i += 2)
        to[i] = from[i];
    assert(first == text + 300);
    *first = 1;
    assert(text[300] == 1);
    return 0;
}
