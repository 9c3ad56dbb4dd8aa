//@ property: leak
//@ verdict: safe
// A pointer that was copied byte by byte still leads to its object.
#include <stdlib.h>

unsigned char bytes[sizeof(void *)];

int main(void) {
    int *object = malloc(sizeof *object);
    unsigned char *from = (unsigned char *)&object;
    for (unsigned i = 0; i < sizeof object; i++)
        bytes[i] = from[i];
    return 0;
}
